/** Whether the text is an address as it is: a reader of addresses drops white space around one, also a line end of Windows. */
export const isUrl = (text: string): boolean => text === text.trim() && URL.canParse(text);

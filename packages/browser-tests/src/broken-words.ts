import type { Page } from 'playwright-core';

/** Longer ones, as addresses and ids are, may go over two lines. */
const LONGEST = 14;

/** Words and numbers of the page that are drawn over two lines: nobody reads "0.000072 3346" right. */
export const brokenWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const broken = new Set();
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const drawn = document.createRange();
    while (texts.nextNode()) {
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}.,:%]+/gu)) {
        if (word.length > ${LONGEST}) continue;
        drawn.setStart(texts.currentNode, index);
        drawn.setEnd(texts.currentNode, index + word.length);
        const lines = new Set([...drawn.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.add(word);
      }
    }
    return [...broken];
  })()`);

/** The basis of figures as a tag. */
export const Basis = (props: { readonly of: string }) => (
  <span class="tag caution">{props.of}</span>
);

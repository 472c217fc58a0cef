export interface Sample {
  name: string
  text: string
  /** The visible text when read as markdown, if it differs from what `sourceOf` computes. */
  shown?: string
  /** The visible text when read as HTML, if it differs from the text itself. */
  html?: string
}

/** Names each text by its group and its number in the group. */
export const samples = (
  group: string,
  texts: readonly (string | Omit<Sample, 'name'>)[],
): Sample[] =>
  texts.map((one, at) => ({
    name: `${group} ${at + 1}`,
    ...(typeof one === 'string' ? { text: one } : one),
  }))

/** A text with elements whose visible text is the same in both formats. */
export const marked = (text: string, shown: string): Omit<Sample, 'name'> => ({
  text,
  shown,
  html: shown,
})

export interface Sample {
  name: string
  text: string
  /** What a reader sees of the text as markdown, where that is not what `sourceOf` computes. */
  shown?: string
  /** What a reader sees of the text as HTML, where that is not the text itself. */
  html?: string
}

/** Names each text after its group and its place in it. */
export const samples = (
  group: string,
  texts: readonly (string | Omit<Sample, 'name'>)[],
): Sample[] =>
  texts.map((one, at) => ({
    name: `${group} ${at + 1}`,
    ...(typeof one === 'string' ? { text: one } : one),
  }))

/** A text with elements in it, of which a reader sees the same in either format. */
export const marked = (text: string, shown: string): Omit<Sample, 'name'> => ({
  text,
  shown,
  html: shown,
})

import { splitSections } from '../../file-writer.ts'

/**
 * Takes a description apart into its text and the sections with these titles, in their order. The
 * sections of `fixed` are left out: no single value of a file holds them.
 */
export function takeApart(
  description: string,
  titles: readonly string[],
  fixed: readonly { title: string }[],
): { text: string; sections: Map<string, string> } {
  const left = new Set(fixed.map(({ title }) => title))
  const isTitle = (title: string) => titles.includes(title) || left.has(title)
  const [first, ...rest] = splitSections(description, isTitle)
  const sections = new Map<string, string>()
  let last: string | undefined
  for (const { title = '', text } of rest)
    if (last !== undefined && sections.has(title))
      sections.set(last, `${sections.get(last)}\n\n## ${title}\n\n${text}`)
    else if (!left.has(title)) {
      sections.set(title, text)
      last = title
    }
  return { text: first!.text, sections }
}

/** What the content of a Todoist task says. */
export interface TaskText {
  title: string
  labels: string[]
  /** The links of the content; the title has only their texts. */
  links: string[]
  isHeading: boolean
}

const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g
const LABEL = /(^|\s)@([^\s@,;]+)/gu

/** Splits `Call Ana @phone` into its title and labels. */
export function parseTaskText(content: string, hasLabels: boolean): TaskText {
  const isHeading = content.startsWith('* ')
  const links = [...content.matchAll(LINK)].map(([link]) => link)
  const labels: string[] = []
  const plain = content.replace(/^\* /, '').replace(LINK, '$1')
  const title = hasLabels
    ? plain.replace(LABEL, (_, before: string, label: string) => {
        labels.push(label)
        return before
      })
    : plain
  return { title: title.trim() || plain, labels, links, isHeading }
}

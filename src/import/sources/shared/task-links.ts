import { taskLink } from '../../source.ts'

const MARKDOWN_TARGET = /\]\(<?([^()\s<>]*(?:\([^()\s<>]*\)[^()\s<>]*)*)>?(?:\s+"[^"]*")?\)/g
const HTML_TARGET = /\bhref=(["'])([^"']*)\1/g
const BARE_URL = /(^|[\s(>])(https?:\/\/[^\s<>()[\]"']*[^\s<>()[\]"'.,;:!?])(?=$|[\s).,;:!?])/g

export interface LinkTarget {
  id: string
  title: string
}

/** Makes links to tasks of the same import link to the imported tasks. */
export function linkTasks(
  text: string,
  contentType: 'html' | 'markdown',
  find: (url: string) => LinkTarget | undefined,
): string {
  const replaced = (whole: string, url: string, write: (target: LinkTarget) => string) => {
    const target = find(url)
    return target ? write(target) : whole
  }
  if (contentType === 'html')
    return text.replace(HTML_TARGET, (whole, quote: string, url: string) =>
      replaced(whole, url, ({ id }) => `href=${quote}${taskLink(id)}${quote}`),
    )
  return text
    .replace(MARKDOWN_TARGET, (whole, url: string) =>
      replaced(whole, url, ({ id }) => `](${taskLink(id)})`),
    )
    .replace(BARE_URL, (whole, before: string, url: string) =>
      replaced(
        whole,
        url,
        ({ id, title }) => `${before}[${title.replace(/[[\]\\]/g, '\\$&')}](${taskLink(id)})`,
      ),
    )
}

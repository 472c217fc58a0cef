import { syntaxTree } from '@codemirror/language'
import { type EditorView, ViewPlugin } from '@codemirror/view'
import { codeLanguage } from './code-languages.ts'

/** Ctrl+Shift+V pastes text as it is. */
let isPlainRequested = false

export const plainPasteKey = ViewPlugin.define(() => ({}), {
  eventHandlers: {
    keydown: ({ key, shiftKey, ctrlKey, metaKey }) => {
      if (key.toLowerCase() === 'v' && (ctrlKey || metaKey)) isPlainRequested = shiftKey
    },
  },
})

const isInCode = ({ state }: EditorView) => {
  const { from } = state.selection.main
  return /Code/.test(syntaxTree(state).resolveInner(from, -1).name)
}

/** The language of code that was copied in VS Code. */
function codeMode(data: DataTransfer): string | undefined {
  try {
    const { mode } = JSON.parse(data.getData('vscode-editor-data'))
    return typeof mode === 'string' ? mode : undefined
  } catch {
    return undefined
  }
}

/** Several lines from VS Code become a code block, except Markdown, which is text already. */
function codeBlock(text: string, mode: string): string {
  if (!text.trimEnd().includes('\n') || mode === 'markdown' || mode === 'plaintext') return text
  const name = codeLanguage(mode) ? mode : ''
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}${name}\n${text.replace(/\n$/, '')}\n${fence}`
}

const insert = (view: EditorView, text: string) =>
  view.dispatch(view.state.replaceSelection(text), {
    userEvent: 'input.paste',
    scrollIntoView: true,
  })

const RICH =
  /<(h[1-6]|ul|ol|li|table|a|b|strong|i|em|del|s|code|pre|blockquote|img|hr)\b|mso-|font-(weight|style)/i

/** Whether there is only a picture, which is then uploaded instead. */
const isOnlyImage = (html: string) =>
  /<img\b/i.test(html) && !/>\s*[^<\s]/.test(html.replace(/<!--[\s\S]*?-->/g, ''))

async function insertHtml(view: EditorView, html: string, text: string, onFiles: OnFiles) {
  const images: string[] = []
  const markdown = await import('./paste/html-to-markdown.ts').then(
    ({ htmlToMarkdown }) => htmlToMarkdown(html, images),
    // Offline, or not convertible: the text alone is pasted.
    () => undefined,
  )
  insert(view, markdown || text)
  if (images.length) onFiles(images.map(fileOf))
}

/** The file of a `data:` address. */
function fileOf(address: string, index: number): File {
  const [head = '', body = ''] = address.split(',')
  const type = /^data:([\w/+.-]+)/.exec(head)?.[1] ?? 'image/png'
  const bytes = Uint8Array.from(atob(body), (char) => char.charCodeAt(0))
  const ending = type.split('/')[1]?.split('+')[0] ?? 'png'
  return new File([bytes], `image-${index + 1}.${ending}`, { type })
}

type OnFiles = (files: readonly File[]) => void

/** Pastes rich text as Markdown, code with its language, and files as uploads. */
export function handlePaste(event: ClipboardEvent, view: EditorView, onFiles: OnFiles): boolean {
  const data = event.clipboardData
  if (!data || view.state.readOnly) return false
  const isPlain = isPlainRequested
  isPlainRequested = false
  const html = data.getData('text/html')
  const text = data.getData('text/plain').replace(/\r\n?/g, '\n')
  const files = [...data.files]
  if (files.length && (!html || isOnlyImage(html))) {
    onFiles(files)
    return true
  }
  if (isPlain || isInCode(view)) return false
  const mode = codeMode(data)
  if (mode) insert(view, codeBlock(text, mode))
  else if (RICH.test(html)) void insertHtml(view, html, text, onFiles)
  else return false
  return true
}

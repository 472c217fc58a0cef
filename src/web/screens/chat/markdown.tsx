import { GFM, parser } from '@lezer/markdown'
import { createElement, Fragment, memo, type ReactNode, useMemo } from 'react'
import '../../entities/editor/editor.css'
import { ModelLink } from './link.tsx'
import { TextWithTaskKeys } from './task-keys.tsx'

const markdown = parser.configure(GFM)
type SyntaxNode = ReturnType<typeof markdown.parse>['topNode']

/**
 * Renders a model's Markdown. HTML tags are shown as text, and no image or other resource is
 * loaded.
 */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text])
  return (
    <div className="prose">
      {blocks.map((source, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only appended, and only the last one changes
        <Block key={at} source={source} />
      ))}
    </div>
  )
}

/** Splits the text into blocks, so that only the last one re-renders while an answer grows. */
function blocksOf(text: string): string[] {
  const tree = markdown.parse(text)
  const blocks: string[] = []
  for (let node = tree.topNode.firstChild; node; node = node.nextSibling)
    blocks.push(text.slice(lineStart(text, node.from), node.to))
  return blocks
}

/** Includes the indentation, which marks code blocks. */
const lineStart = (text: string, offset: number) => text.lastIndexOf('\n', offset - 1) + 1

const Block = memo(function Block({ source }: { source: string }) {
  return renderChildren(markdown.parse(source).topNode, source)
})

const MARKS = /Mark$|^(LinkLabel|LinkTitle|CodeInfo|TableDelimiter|TaskMarker|LinkReference)$/
const TAGS: Record<string, string> = {
  ...{ Paragraph: 'p', Blockquote: 'blockquote', BulletList: 'ul', ListItem: 'li' },
  ...{ Emphasis: 'em', StrongEmphasis: 'strong', Strikethrough: 's', Table: 'table' },
  ...{ TableHeader: 'tr', TableRow: 'tr' },
}

/** Renders the text and child nodes of a node, without its Markdown marks. */
function renderChildren(node: SyntaxNode, source: string, isCode = false): ReactNode {
  const parts: ReactNode[] = []
  let from = node.from
  const pushText = (to: number) => {
    const text = source.slice(from, to)
    if (text) parts.push(isCode ? text : <TextWithTaskKeys key={`at ${from}`} text={text} />)
  }
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (isBlank(node)) from = child.from
    else pushText(child.from)
    if (!MARKS.test(child.name))
      parts.push(<Fragment key={child.from}>{renderNode(child, source)}</Fragment>)
    from = child.to
    // Heading and quote marks are followed by one space.
    if (/^(Header|Quote)Mark$/.test(child.name) && source[from] === ' ') from++
  }
  if (!isBlank(node)) pushText(node.to)
  return parts
}

/** Whether the text between the node's children is only whitespace. */
const isBlank = ({ name, firstChild }: SyntaxNode) =>
  /^(Document|Blockquote|BulletList|OrderedList|ListItem|Table|TableHeader|TableRow)$/.test(name) &&
  firstChild !== null

function renderNode(node: SyntaxNode, source: string): ReactNode {
  const { name, from, to } = node
  const text = source.slice(from, to)
  // All headings get the same level, because an answer may start with any.
  const tag = /Heading\d$/.test(name) ? 'h3' : TAGS[name]
  if (tag) return createElement(tag, layoutProps(node), renderRows(node, source))
  if (name === 'OrderedList')
    return (
      <ol {...layoutProps(node)} start={Number.parseInt(text, 10) || 1}>
        {renderChildren(node, source)}
      </ol>
    )
  if (name === 'TableCell') {
    const isHead = node.parent?.name === 'TableHeader'
    return createElement(isHead ? 'th' : 'td', undefined, renderChildren(node, source))
  }
  if (name === 'Task') return <TaskItem {...{ node, source }} />
  if (/^(FencedCode|CodeBlock)$/.test(name))
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys, too
      <pre tabIndex={0}>
        <code>{codeText(node, source)}</code>
      </pre>
    )
  if (name === 'InlineCode') return <code>{renderChildren(node, source, true)}</code>
  if (name === 'HorizontalRule') return <hr />
  if (name === 'HardBreak') return <br />
  if (name === 'Escape') return text.slice(1)
  if (name === 'Entity') return ENTITIES[text] ?? text
  if (name === 'URL') return <ModelLink address={text} />
  if (/^(Link|Image|Autolink)$/.test(name)) return <ModelLink {...linkOf(node, source)} />
  return text
}

/** A top-level block gets its text direction as a whole; a wide table is scrollable by keyboard. */
const layoutProps = ({ name, parent }: SyntaxNode) => ({
  dir: parent?.name === 'Document' ? 'auto' : undefined,
  tabIndex: name === 'Table' ? 0 : undefined,
})

const ENTITIES: Record<string, string> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': '\u00a0', '&#39;': '’' },
}

/** Wraps the header and the rows of a table. */
function renderRows(node: SyntaxNode, source: string): ReactNode {
  if (node.name !== 'Table') return renderChildren(node, source)
  const head = node.getChild('TableHeader')
  return (
    <>
      {head && <thead>{renderNode(head, source)}</thead>}
      <tbody>
        {node.getChildren('TableRow').map((row) => (
          <Fragment key={row.from}>{renderNode(row, source)}</Fragment>
        ))}
      </tbody>
    </>
  )
}

const codeText = (node: SyntaxNode, source: string) =>
  node
    .getChildren('CodeText')
    .map(({ from, to }) => source.slice(from, to))
    .join('')

function TaskItem({ node, source }: { node: SyntaxNode; source: string }) {
  const mark = node.getChild('TaskMarker')
  const isDone = mark !== null && /x/i.test(source.slice(mark.from, mark.to))
  return (
    <>
      {isDone ? '☑' : '☐'} {renderChildren(node, source)}
    </>
  )
}

/** The address and the text of a link or image. */
function linkOf(node: SyntaxNode, source: string) {
  const url = node.getChild('URL')
  const [, end] = node.getChildren('LinkMark')
  const open = node.getChild('LinkMark')
  const linkText = open && end ? source.slice(open.to, end.from) : ''
  const address = url ? source.slice(url.from, url.to).replace(/^<|>$/g, '') : ''
  const isPicture = node.name === 'Image'
  return { address, linkText: node.name === 'Autolink' ? '' : linkText, isPicture }
}

import { GFM, parser } from '@lezer/markdown'
import { createElement, Fragment, memo, type ReactNode, useMemo } from 'react'
import '../task/editor.css'
import { Keyed } from './keyed.tsx'
import { From } from './link.tsx'

const markdown = parser.configure(GFM)
type SyntaxNode = ReturnType<typeof markdown.parse>['topNode']

/**
 * What a model says. It is drawn from its markdown, never as markup: tags in it are words, and
 * nothing that it names is loaded.
 */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text])
  return (
    <div className="prose">
      {blocks.map((source, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they only grow, and the last of them changes
        <Block key={at} source={source} />
      ))}
    </div>
  )
}

/** While an answer grows, only its last block is another one. */
function blocksOf(text: string): string[] {
  const tree = markdown.parse(text)
  const blocks: string[] = []
  for (let node = tree.topNode.firstChild; node; node = node.nextSibling)
    blocks.push(text.slice(lineStart(text, node.from), node.to))
  return blocks
}

/** What is set in is code. */
const lineStart = (text: string, at: number) => text.lastIndexOf('\n', at - 1) + 1

const Block = memo(function Block({ source }: { source: string }) {
  return insideOf(markdown.parse(source).topNode, source)
})

const MARKS = /Mark$|^(LinkLabel|LinkTitle|CodeInfo|TableDelimiter|TaskMarker|LinkReference)$/
const TAGS: Record<string, string> = {
  ...{ Paragraph: 'p', Blockquote: 'blockquote', BulletList: 'ul', ListItem: 'li' },
  ...{ Emphasis: 'em', StrongEmphasis: 'strong', Strikethrough: 's', Table: 'table' },
  ...{ TableHeader: 'tr', TableRow: 'tr' },
}

/** Words and nodes between the ends of a node, without its marks. */
function insideOf(node: SyntaxNode, source: string, isCode = false): ReactNode {
  const parts: ReactNode[] = []
  let from = node.from
  const words = (to: number) => {
    const text = source.slice(from, to)
    if (text) parts.push(isCode ? text : <Keyed key={`at ${from}`} text={text} />)
  }
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (isBlank(node)) from = child.from
    else words(child.from)
    if (!MARKS.test(child.name))
      parts.push(<Fragment key={child.from}>{drawn(child, source)}</Fragment>)
    from = child.to
    // Marks of a block are followed by a space of their own.
    if (/^(Header|Quote)Mark$/.test(child.name) && source[from] === ' ') from++
  }
  if (!isBlank(node)) words(node.to)
  return parts
}

/** Between what stands in it are only lines and spaces. */
const isBlank = ({ name, firstChild }: SyntaxNode) =>
  /^(Document|Blockquote|BulletList|OrderedList|ListItem|Table|TableHeader|TableRow)$/.test(name) &&
  firstChild !== null

function drawn(node: SyntaxNode, source: string): ReactNode {
  const { name, from, to } = node
  const text = source.slice(from, to)
  // Of one level, as it may begin with any.
  const tag = /Heading\d$/.test(name) ? 'h3' : TAGS[name]
  if (tag) return createElement(tag, waysOf(node), rowsOf(node, source))
  if (name === 'OrderedList')
    return (
      <ol {...waysOf(node)} start={Number.parseInt(text, 10) || 1}>
        {insideOf(node, source)}
      </ol>
    )
  if (name === 'TableCell') {
    const isHead = node.parent?.name === 'TableHeader'
    return createElement(isHead ? 'th' : 'td', undefined, insideOf(node, source))
  }
  if (name === 'Task') return <Ticked {...{ node, source }} />
  if (/^(FencedCode|CodeBlock)$/.test(name))
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys, too
      <pre tabIndex={0}>
        <code>{codeOf(node, source)}</code>
      </pre>
    )
  if (name === 'InlineCode') return <code>{insideOf(node, source, true)}</code>
  if (name === 'HorizontalRule') return <hr />
  if (name === 'HardBreak') return <br />
  if (name === 'Escape') return text.slice(1)
  if (name === 'Entity') return ENTITIES[text] ?? text
  if (name === 'URL') return <From address={text} />
  if (/^(Link|Image|Autolink)$/.test(name)) return <From {...linkOf(node, source)} />
  return text
}

/** A list or a table goes one way as a whole, which the words in it say; a wide one is scrolled. */
const waysOf = ({ name, parent }: SyntaxNode) => ({
  dir: parent?.name === 'Document' ? 'auto' : undefined,
  tabIndex: name === 'Table' ? 0 : undefined,
})

const ENTITIES: Record<string, string> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': '\u00a0', '&#39;': '’' },
}

/** The head of a table stands in an element of its own, as its rows do. */
function rowsOf(node: SyntaxNode, source: string): ReactNode {
  if (node.name !== 'Table') return insideOf(node, source)
  const head = node.getChild('TableHeader')
  return (
    <>
      {head && <thead>{drawn(head, source)}</thead>}
      <tbody>
        {node.getChildren('TableRow').map((row) => (
          <Fragment key={row.from}>{drawn(row, source)}</Fragment>
        ))}
      </tbody>
    </>
  )
}

const codeOf = (node: SyntaxNode, source: string) =>
  node
    .getChildren('CodeText')
    .map(({ from, to }) => source.slice(from, to))
    .join('')

function Ticked({ node, source }: { node: SyntaxNode; source: string }) {
  const mark = node.getChild('TaskMarker')
  const isDone = mark !== null && /x/i.test(source.slice(mark.from, mark.to))
  return (
    <>
      {isDone ? '☑' : '☐'} {insideOf(node, source)}
    </>
  )
}

/** A link or a picture: its address, and its words where they are others. */
function linkOf(node: SyntaxNode, source: string) {
  const url = node.getChild('URL')
  const [, end] = node.getChildren('LinkMark')
  const open = node.getChild('LinkMark')
  const words = open && end ? source.slice(open.to, end.from) : ''
  const address = url ? source.slice(url.from, url.to).replace(/^<|>$/g, '') : ''
  const isPicture = node.name === 'Image'
  return { address, words: node.name === 'Autolink' ? '' : words, isPicture }
}

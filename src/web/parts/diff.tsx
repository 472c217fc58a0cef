import { Fragment, useState } from 'react'
import './diff.css'
import { countsOf, type Hunk, type Piece, type Row, rowsOf } from './lines.ts'

interface Props {
  hunks: readonly Hunk[]
  /** The names of the two texts, as they stand above them. */
  names: readonly [string, string]
  /** All lines of the newer text, to unfold what is the same in both, once they are there. */
  lines: readonly string[] | undefined
}

/** What two texts differ in: beside each other where there is room, else one below the other. */
export function Diff({ hunks, names, lines }: Props) {
  const { more, less } = countsOf(hunks)
  if (!hunks.length) return <p className="soft">The text is the same in both.</p>
  const last = hunks.at(-1)!
  return (
    <div className="diff">
      <p className="soft" role="status">
        {lineWords(more, 'added')}, {lineWords(less, 'removed')}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys have to scroll it */}
      <section className="beside" aria-label="What changed" tabIndex={0}>
        <div className="pair names" aria-hidden="true">
          <span>{names[0]}</span>
          <span>{names[1]}</span>
        </div>
        {hunks.map((hunk, at) => (
          <Fragment key={hunk.new_start}>
            <Fold from={endOf(hunks[at - 1])} to={firstOf(hunk)} lines={lines} />
            {rowsOf(hunk).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are never put in another order
              <Line key={index} row={row} />
            ))}
          </Fragment>
        ))}
        {lines && <Fold from={endOf(last)} to={lines.length} lines={lines} />}
      </section>
    </div>
  )
}

const lineWords = (count: number, deed: string) =>
  `${count} ${count === 1 ? 'line' : 'lines'} ${deed}`

/** How many lines of the newer text stand before a hunk, and before what follows it. */
const firstOf = ({ new_start, new_lines }: Hunk) => (new_lines ? new_start - 1 : new_start)
const endOf = (hunk: Hunk | undefined) => (hunk ? firstOf(hunk) + hunk.new_lines : 0)

interface FoldProps {
  from: number
  to: number
  lines: readonly string[] | undefined
}

/** What is the same in both, for who asks to see it. */
function Fold({ from, to, lines }: FoldProps) {
  const [isOpen, setOpen] = useState(false)
  const count = to - from
  if (count <= 0) return null
  if (isOpen && lines)
    return lines.slice(from, to).map((same, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are never put in another order
      <Line key={at} row={{ same }} />
    ))
  return (
    <button type="button" className="fold" onClick={() => setOpen(true)}>
      Show {count === 1 ? 'a line that is' : `${count} lines that are`} the same
    </button>
  )
}

function Line({ row: { was, is, same } }: { row: Row }) {
  if (same !== undefined)
    return (
      <div className="pair same">
        <span dir="auto">{same || ' '}</span>
        <span className="twin" dir="auto" aria-hidden="true">
          {same || ' '}
        </span>
      </div>
    )
  return (
    <div className="pair">
      {was ? <Text as="del" pieces={was} /> : <span className="none" />}
      {is ? <Text as="ins" pieces={is} /> : <span className="none" />}
    </div>
  )
}

const Text = ({ as: As, pieces }: { as: 'del' | 'ins'; pieces: readonly Piece[] }) => (
  <As dir="auto">
    <span className="unseen">{As === 'del' ? 'Removed: ' : 'Added: '}</span>
    {pieces.map(({ words, marked }, at) =>
      marked ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are never put in another order
        <mark key={at}>{words}</mark>
      ) : (
        words
      ),
    )}
    {pieces.every(({ words }) => !words) && ' '}
  </As>
)

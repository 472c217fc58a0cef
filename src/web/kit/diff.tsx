import { Fragment, useState } from 'react'
import { t } from '../messages/t.ts'
import './diff.css'
import { countsOf, type Hunk, type Piece, type Row, rowsOf } from './diff-lines.ts'

interface Props {
  hunks: readonly Hunk[]
  /** The headings of the two texts. */
  names: readonly [string, string]
  /** All lines of the newer text, once loaded; needed to show unchanged lines. */
  lines: readonly string[] | undefined
}

/** The difference of two texts: side by side if there is room, otherwise below each other. */
export function Diff({ hunks, names, lines }: Props) {
  const { added, removed } = countsOf(hunks)
  if (!hunks.length) return <p className="soft">{t('kit.the_two_texts_are_identical')}</p>
  const last = hunks.at(-1)!
  return (
    <div className="diff">
      <p className="soft" role="status">
        {t('kit.count_lines_added', { count: added })},{' '}
        {t('kit.count_lines_removed', { count: removed })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys must be able to scroll it */}
      <section className="beside" aria-label={t('kit.what_changed')} tabIndex={0}>
        <div className="pair names" aria-hidden="true">
          <span>{names[0]}</span>
          <span>{names[1]}</span>
        </div>
        {hunks.map((hunk, at) => (
          <Fragment key={hunk.new_start}>
            <UnchangedLines from={lineAfter(hunks[at - 1])} to={linesBefore(hunk)} lines={lines} />
            {rowsOf(hunk).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items are never reordered
              <Line key={index} row={row} />
            ))}
          </Fragment>
        ))}
        {lines && <UnchangedLines from={lineAfter(last)} to={lines.length} lines={lines} />}
      </section>
    </div>
  )
}

/** The number of lines of the newer text before a hunk, and up to its end. */
const linesBefore = ({ new_start, new_lines }: Hunk) => (new_lines ? new_start - 1 : new_start)
const lineAfter = (hunk: Hunk | undefined) => (hunk ? linesBefore(hunk) + hunk.new_lines : 0)

interface UnchangedLinesProps {
  from: number
  to: number
  lines: readonly string[] | undefined
}

/** Lines that both texts have; shown on request. */
function UnchangedLines({ from, to, lines }: UnchangedLinesProps) {
  const [isOpen, setOpen] = useState(false)
  const count = to - from
  if (count <= 0) return null
  if (isOpen && lines)
    return lines.slice(from, to).map((same, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the items are never reordered
      <Line key={at} row={{ same }} />
    ))
  return (
    <button type="button" className="fold" onClick={() => setOpen(true)}>
      {t('kit.show_unchanged_lines', { count })}
    </button>
  )
}

function Line({ row: { before, after, same } }: { row: Row }) {
  if (same !== undefined)
    return (
      <div className="pair same">
        <span dir="auto">{same || ' '}</span>
        <span className="other-side" dir="auto" aria-hidden="true">
          {same || ' '}
        </span>
      </div>
    )
  return (
    <div className="pair">
      {before ? <Text as="del" pieces={before} /> : <span className="none" />}
      {after ? <Text as="ins" pieces={after} /> : <span className="none" />}
    </div>
  )
}

const Text = ({ as: As, pieces }: { as: 'del' | 'ins'; pieces: readonly Piece[] }) => (
  <As dir="auto">
    <span className="unseen">{As === 'del' ? t('kit.removed') : t('kit.added')} </span>
    {pieces.map(({ text, isMarked }, at) =>
      isMarked ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items are never reordered
        <mark key={at}>{text}</mark>
      ) : (
        text
      ),
    )}
    {pieces.every(({ text }) => !text) && ' '}
  </As>
)

import { type ChangeObject, diffLines } from 'diff'
import { useEffect, useRef } from 'react'

type Change = ChangeObject<string>

interface Props {
  mine: string
  theirs: string
  onMine(): void
  onTheirs(): void
  onMerge(text: string): void
}

/** Two people wrote at the same time: both texts, and what can be done with them. */
export default function Conflict({ mine, theirs, onMine, onTheirs, onMerge }: Props) {
  const root = useRef<HTMLElement>(null)
  // Its words come before its buttons, of which one takes the focus.
  useEffect(() => void root.current?.scrollIntoView({ block: 'start' }), [])
  const parts = diffLines(`${theirs.trimEnd()}\n`, `${mine.trimEnd()}\n`)
  return (
    <section ref={root} className="conflict" role="alert">
      <h2>Somebody changed this while you wrote</h2>
      <p className="soft">Nothing is lost: here are both texts, with what differs marked.</p>
      <div className="both">
        <Side name="Yours" parts={parts.filter(({ removed }) => !removed)} />
        <Side name="Theirs, as it stands now" parts={parts.filter(({ added }) => !added)} />
      </div>
      <footer>
        <button type="button" className="button plain" onClick={onMine}>
          Keep mine
        </button>
        <button type="button" className="button plain" onClick={onTheirs}>
          Take theirs
        </button>
        <button
          type="button"
          className="button main"
          // biome-ignore lint/a11y/noAutofocus: what was in focus is gone
          autoFocus
          onClick={() =>
            onMerge(
              parts
                .map(({ value }) => value)
                .join('')
                .trimEnd(),
            )
          }
        >
          Edit both together
        </button>
      </footer>
    </section>
  )
}

/** One of the texts, with what the other has not marked. */
const Side = ({ name, parts }: { name: string; parts: readonly Change[] }) => (
  <figure>
    <figcaption>{name}</figcaption>
    <pre>
      {parts.map(({ value, added, removed }, at) =>
        added || removed ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are never put in another order
          <mark key={at}>{value}</mark>
        ) : (
          value
        ),
      )}
    </pre>
  </figure>
)

import { type ChangeObject, diffLines } from 'diff'
import { useEffect, useRef } from 'react'
import { t } from '../../messages/t.ts'

type Change = ChangeObject<string>

export interface ConflictProps {
  ownText: string
  otherText: string
  onKeepOwn(): void
  onUseOther(): void
  onMerge(text: string): void
}

/** Shows both texts after an edit conflict, and the ways to resolve it. */
export default function ConflictView({
  ownText,
  otherText,
  onKeepOwn,
  onUseOther,
  onMerge,
}: ConflictProps) {
  const root = useRef<HTMLElement>(null)
  // A button below takes the focus; the explanation has to be in view first.
  useEffect(() => void root.current?.scrollIntoView({ block: 'start' }), [])
  const parts = diffLines(`${otherText.trimEnd()}\n`, `${ownText.trimEnd()}\n`)
  return (
    <section ref={root} className="conflict" role="alert">
      <h2>{t('editor.somebody_changed_this_while_you_were')}</h2>
      <p className="soft">{t('editor.nothing_is_lost_compare_both_versions_the')}</p>
      <div className="both">
        <Side name={t('editor.your_version')} parts={parts.filter(({ removed }) => !removed)} />
        <Side name={t('editor.current_version')} parts={parts.filter(({ added }) => !added)} />
      </div>
      <footer className="flex-wrap">
        <button type="button" className="button plain" onClick={onKeepOwn}>
          {t('editor.keep_mine')}
        </button>
        <button type="button" className="button plain" onClick={onUseOther}>
          {t('editor.use_theirs')}
        </button>
        <button
          type="button"
          className="button main"
          // biome-ignore lint/a11y/noAutofocus: the focused element was removed
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
          {t('editor.merge_both')}
        </button>
      </footer>
    </section>
  )
}

/** One of the two texts, with the lines highlighted that the other does not have. */
const Side = ({ name, parts }: { name: string; parts: readonly Change[] }) => (
  <figure>
    <figcaption>{name}</figcaption>
    <pre>
      {parts.map(({ value, added, removed }, index) =>
        added || removed ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts are never reordered
          <mark key={index}>{value}</mark>
        ) : (
          value
        ),
      )}
    </pre>
  </figure>
)

import { locale } from '../../kit/locale.ts'
import { t } from '../../messages/t.ts'
import { ProblemBox } from './problem.tsx'
import {
  backToPreview,
  type Sending as SendingState,
  setPaused,
  startImport,
  stopImport,
} from './session.ts'

/** While records are sent. */
export function Sending({ reading, progress, isPaused, problem }: SendingState) {
  const { title } = reading.plan.origin
  const { done = 0, total = 0 } = progress ?? {}
  return (
    <section className="import-progress" aria-label={t('import.importing')}>
      <p role="status">
        {problem
          ? t('import.title_is_not_complete', { title })
          : isPaused
            ? t('import.paused_title', { title })
            : progress?.phase === 'files'
              ? t('import.importing_files_of_title', { title })
              : t('import.importing_title', { title })}
      </p>
      <progress
        aria-label={t('import.importing')}
        {...((progress || isPaused || problem) && { value: done, max: total || 1 })}
      />
      <p className="soft tabular">{progress && !isPaused && paceText(progress)}</p>
      <Outcomes counts={progress} />
      {problem && <ProblemBox problem={problem} />}
      <Buttons isPaused={isPaused} hasFailed={problem !== undefined} />
      {!problem && <p className="soft">{t('import.you_can_use_other_screens')}</p>}
    </section>
  )
}

const MINUTE_S = 60

function paceText({ done, total, perSecond, secondsLeft }: NonNullable<SendingState['progress']>) {
  const parts = [
    t('import.done_of_total', { done, total }),
    perSecond >= 1 && t('import.rate_per_second', { rate: Math.round(perSecond) }),
    secondsLeft !== undefined &&
      (secondsLeft < MINUTE_S
        ? t('import.seconds_left', { seconds: Math.ceil(secondsLeft) })
        : t('import.minutes_left', { minutes: Math.ceil(secondsLeft / MINUTE_S) })),
  ]
  return parts.filter(Boolean).join(' · ')
}

interface ButtonsProps {
  isPaused: boolean
  hasFailed: boolean
}

const Buttons = ({ isPaused, hasFailed }: ButtonsProps) => (
  <footer>
    {hasFailed ? (
      <>
        <button type="button" className="button plain" onClick={backToPreview}>
          {t('import.back_to_the_preview')}
        </button>
        <button type="button" className="button main" onClick={() => void startImport()}>
          {t('import.try_again')}
        </button>
      </>
    ) : (
      <>
        <button type="button" className="button plain" onClick={stopImport}>
          {t('import.stop_import')}
        </button>
        <button type="button" className="button main" onClick={() => setPaused(!isPaused)}>
          {isPaused ? t('import.resume') : t('import.pause')}
        </button>
      </>
    )}
  </footer>
)

type Counts = Record<'created' | 'updated' | 'unchanged' | 'kept', number>

const NO_COUNTS: Counts = { created: 0, updated: 0, unchanged: 0, kept: 0 }

/** How many records were created, updated, left unchanged and kept. */
export function Outcomes({ counts = NO_COUNTS }: { counts?: Counts | undefined }) {
  const outcomes = [
    [t('import.created'), counts.created],
    [t('import.updated'), counts.updated],
    [t('import.unchanged'), counts.unchanged],
    [t('import.kept'), counts.kept],
  ] as const
  return (
    <dl className="outcomes">
      {outcomes.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{count.toLocaleString(locale)}</dd>
        </div>
      ))}
    </dl>
  )
}

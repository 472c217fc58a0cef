import { t } from '../messages/t.ts'
import './steps.css'

interface Props {
  label: string
  names: readonly string[]
  /** The index of the current step. */
  current: number
}

/** The progress of something that has several steps. */
export const Steps = ({ label, names, current }: Props) => (
  <ol className="steps" aria-label={label}>
    {names.map((name, index) => (
      <li
        key={name}
        aria-current={index === current ? 'step' : undefined}
        data-done={index < current}
      >
        {name}
        {index < current && <span className="unseen">{t('kit.step_done')}</span>}
      </li>
    ))}
  </ol>
)

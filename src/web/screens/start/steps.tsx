import { t } from '../../messages/t.ts'
import './steps.css'

const STEPS = [t('start.your_team'), t('start.a_board'), t('start.your_agent')]

/** The progress of the first steps; the server's own page shows step one. */
export const Steps = ({ current }: { current: number }) => (
  <ol className="steps" aria-label={t('start.first_steps')}>
    {STEPS.map((name, index) => (
      <li
        key={name}
        aria-current={index === current ? 'step' : undefined}
        data-done={index < current}
      >
        {name}
        {index < current && <span className="unseen">{t('start.done')}</span>}
      </li>
    ))}
  </ol>
)

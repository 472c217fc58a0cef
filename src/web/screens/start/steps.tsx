import { Steps } from '../../kit/steps.tsx'
import { t } from '../../messages/t.ts'

const NAMES = [t('start.your_team'), t('start.a_board'), t('start.your_agent')]

/** The progress of the first steps; the server's own page shows step one. */
export const FirstSteps = ({ current }: { current: number }) => (
  <Steps label={t('start.first_steps')} names={NAMES} current={current} />
)

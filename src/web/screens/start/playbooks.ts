import { t } from '../../messages/t.ts'

/** The first rules for agents, on every board. */
export const AGENTS = t('start.claim_a_task_before_you_work_on')

/** For personal boards: the agent helps, but completes nothing. */
export const ADVICE = t('start.make_suggestions_in_comments_change_a_date')

import { momentOf } from '../../../kit/zone.ts'
import type { Days } from '../dates.ts'

/** The dates of a task that was drawn; a task of one day has no start date. */
export const datesOfSpan = ({ from, to }: Days): { due_date: string; start_date?: string } => ({
  due_date: to,
  ...(from < to && { start_date: momentOf(from, '00:00') }),
})

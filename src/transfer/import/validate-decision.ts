import type { RecordOf } from '../schema.ts'
import { InvalidRecord } from './record.ts'

/** Checks that the answer and the closing of a decision agree with its status. */
export function checkDecision({ task, closed_by, ...own }: RecordOf<'decision'>): void {
  const { status, selected_option, options, closed_at } = own
  const isAnswered = status === 'answered'
  if (isAnswered !== (selected_option !== null && options.includes(selected_option)))
    throw new InvalidRecord(`a decision of ${task} has an answer that is not one of its options`)
  if ((status === 'pending') !== (closed_at === null && closed_by === null))
    throw new InvalidRecord(
      `a decision of ${task} must have status, closed_by and closed_at together`,
    )
}

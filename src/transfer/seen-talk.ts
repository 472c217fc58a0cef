import { Wrong } from './record.ts'
import type { RecordOf } from './schema.ts'

/** Whether a decision was answered, and is closed, as it says. */
export function checkDecision({ task, closed_by, ...own }: RecordOf<'decision'>): void {
  const { status, selected_option, options, closed_at } = own
  const answered = status === 'answered'
  if (answered !== (selected_option !== null && options.includes(selected_option)))
    throw new Wrong(`a decision of ${task} is answered by none of its options`)
  if ((status === 'pending') !== (closed_at === null && closed_by === null))
    throw new Wrong(`a decision of ${task} has one of status, closed_by and closed_at alone`)
}

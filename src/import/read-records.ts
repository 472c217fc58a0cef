import { ruleProblem } from '../kernel/recurrence/check.ts'
import { ImportProblem } from './problem.ts'
import type { ImportRecord, Task } from './record.ts'
import type { Report, Source, SourceFile } from './source.ts'

/** How long reading may keep the thread, so that a page stays responsive. */
const MAX_BUSY_MS = 50

/** The records of files, without what no server can store. */
export async function* readRecords(
  source: Source,
  files: readonly SourceFile[],
  report: Report,
): AsyncGenerator<ImportRecord> {
  let since = performance.now()
  try {
    for await (const record of source.read(files, report)) {
      storable(record)
      if ('task' in record) removeUnknownRule(record.task, report)
      yield record
      if (performance.now() - since < MAX_BUSY_MS) continue
      await new Promise((resolve) => setTimeout(resolve))
      since = performance.now()
    }
  } catch (error) {
    throw error instanceof Error && isBug(error) ? unreadable(source, error) : error
  }
}

const isBug = (error: Error) =>
  ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError'].includes(error.name)

/** A reader that fails on an unexpected file names at least the product and the cause. */
const unreadable = ({ title }: Source, cause: Error) =>
  Object.assign(
    new ImportProblem(
      `The files have a form that is unknown for ${title} (${cause.message})`,
      'Export them again. If that does not help, please report it with this message',
    ),
    { cause },
  )

/** The rule stays as a text in the field `Repeats` only if the reader keeps it there. */
function removeUnknownRule(task: Task, report: Report): void {
  const { recurrence } = task
  const problem = recurrence === undefined ? undefined : ruleProblem(recurrence.toUpperCase())
  if (!problem) return
  delete task.recurrence
  report.lose(`The repeat rule ${recurrence}`, `a rule of this form is not supported: ${problem}`)
}

/** Removes NUL characters and repairs unpaired surrogates, which servers refuse. */
function storable<T>(value: T): T {
  if (typeof value === 'string')
    return value.isWellFormed() && !value.includes('\0')
      ? value
      : (value.replaceAll('\0', '').toWellFormed() as T)
  if (typeof value !== 'object' || value === null) return value
  for (const [name, part] of Object.entries(value)) {
    const next = storable(part)
    if (next !== part) Object.assign(value, { [name]: next })
  }
  return value
}

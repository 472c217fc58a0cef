import { contentOf, RecordChecker } from './check-records.ts'
import { FieldAccount } from './fields.ts'
import { LossCount } from './losses.ts'
import { BoardPlanner } from './plan-board.ts'
import type { Plan, PriorityPlan } from './plan-types.ts'
import { proposePriorities } from './priority.ts'
import { readRecords } from './read-records.ts'
import type { ImportRecord, Person, Task } from './record.ts'
import { Samples } from './samples.ts'
import type { Report, Source, SourceFile } from './source.ts'

export type * from './plan-types.ts'

/**
 * Reads files completely, without changing anything. Throws an `ImportProblem` if a record is
 * damaged. `onProgress` gets the number of records so far.
 */
export async function planImport(
  source: Source,
  files: readonly SourceFile[],
  onProgress: (records: number) => void = () => {},
): Promise<Plan> {
  const fields = new FieldAccount(source.fields)
  const losses = new LossCount()
  const report: Report = { fields, lose: (what, why) => losses.add(what, why) }
  const checker = new RecordChecker(source.title)
  const planner = new Planner()
  let records = 0
  for await (const record of readRecords(source, files, report)) {
    checker.check(record)
    planner.add(record)
    onProgress(++records)
  }
  checker.finish()
  return {
    source: { name: source.name, title: source.title, ...columnsOf(source) },
    ...planner.result(),
    lost: [
      ...[...fields.lost].map(([what, { why, count }]) => ({ what, why, count })),
      ...losses.all(),
    ],
    unknown: [...fields.unknown].map(([field, count]) => ({ field, count })),
  }
}

const columnsOf = ({ columns = {} }: Source) => Object.keys(columns).length > 0 && { columns }

class Planner {
  private origin!: Plan['origin']
  private readonly counts: Plan['counts'] = {
    ...{ person: 0, board: 0, task: 0, comment: 0, time_entry: 0, attachment: 0, relation: 0 },
  }
  private readonly people = new Map<string, Person & { uses: number }>()
  private readonly boards = new Map<string, BoardPlanner>()
  /** The boards of tasks. */
  private readonly tasks = new Map<string, BoardPlanner>()
  private readonly priorities = new Map<string | number, number>()
  private readonly samples = new Samples()

  add(record: ImportRecord): void {
    const [kind] = contentOf(record)
    if ('origin' in record) this.origin = record.origin
    if (kind !== 'origin') this.counts[kind]++
    if ('person' in record) this.people.set(record.person.id, { ...record.person, uses: 0 })
    else if ('board' in record) this.boards.set(record.board.id, new BoardPlanner(record.board))
    else if ('task' in record) this.addTask(record.task)
    else if ('comment' in record) {
      this.addPart(record.comment.task, record.comment.author)
      this.samples.addComment(record.comment.task)
    } else if ('time_entry' in record) this.addPart(record.time_entry.task, record.time_entry.who)
    else if ('attachment' in record) {
      const { task, created_by } = record.attachment
      this.addPart(task, created_by)
      this.tasks.get(task)!.files++
    }
  }

  private addTask(task: Task): void {
    const board = this.boards.get(task.board)!
    board.addTask(task)
    this.tasks.set(task.id, board)
    for (const person of new Set([...(task.assignees ?? []), task.created_by])) this.use(person)
    if (task.priority !== undefined)
      this.priorities.set(task.priority, (this.priorities.get(task.priority) ?? 0) + 1)
    this.samples.addTask(task)
  }

  private addPart(task: string, person: string | undefined): void {
    this.tasks.get(task)!.records++
    this.use(person)
  }

  private use(id: string | undefined): void {
    const person = id === undefined ? undefined : this.people.get(id)
    if (person) person.uses++
  }

  result() {
    const boards = [...this.boards.values()].map((board) => board.result())
    const nameOf = (id: string) => this.people.get(id)!.name
    return {
      origin: this.origin,
      counts: this.counts,
      samples: this.samples.result(nameOf, (id) => this.boards.get(id)!.board.title),
      people: [...this.people.values()],
      boards,
      priorities: this.priorityPlans(),
    }
  }

  private priorityPlans(): PriorityPlan[] {
    const proposals = proposePriorities([...this.priorities.keys()])
    return [...this.priorities].map(([from, tasks]) => {
      const priority = proposals.get(from)
      return { from, tasks, priority: priority ?? 0, known: priority !== undefined }
    })
  }
}

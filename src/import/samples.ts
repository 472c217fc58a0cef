import type { SampleTask } from './plan-types.ts'
import type { Task } from './record.ts'

const COUNT = 5

/** Chooses a few tasks that are spread over files of unknown length. */
export class Samples {
  private tasks: Task[] = []
  private step = 1
  private seen = 0
  private readonly comments = new Map<string, number>()

  addTask(task: Task): void {
    if (this.seen++ % this.step === 0) this.tasks.push(task)
    if (this.tasks.length < COUNT * 8) return
    this.tasks = this.tasks.filter((_, at) => at % 2 === 0)
    this.step *= 2
  }

  addComment(task: string): void {
    this.comments.set(task, (this.comments.get(task) ?? 0) + 1)
  }

  result(nameOf: (person: string) => string, titleOf: (board: string) => string): SampleTask[] {
    const count = Math.min(COUNT, this.tasks.length)
    const chosen = Array.from(
      { length: count },
      (_, at) => this.tasks[Math.floor((at * this.tasks.length) / count)]!,
    )
    return chosen.map(({ id, key, title, board, column, priority, due_date, ...task }) => ({
      ...{ id, ...(key !== undefined && { key }), title, board: titleOf(board), column },
      ...(priority !== undefined && { priority }),
      ...(due_date !== undefined && { due_date }),
      assignees: (task.assignees ?? []).map(nameOf),
      labels: task.labels ?? [],
      comments: this.comments.get(id) ?? 0,
    }))
  }
}

import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CommandError } from '../command.ts'
import { type Board, backlogConfig, type Task, TaskIds, taskFile } from './backlog-file.ts'

/**
 * Writes an exported JSON document as a folder for Backlog.md: a file for each task and one for the
 * configuration. The folder is written under another name first, so that it is complete.
 */
export async function writeBacklog(
  folder: string,
  body: AsyncIterable<Uint8Array>,
  force: boolean,
): Promise<void> {
  const existing = await readdir(folder).catch(() => undefined)
  if (existing?.length) checkReplaceable(folder, existing, force)
  const temporary = `${resolve(folder)}.${process.pid}.part`
  try {
    await mkdir(join(temporary, 'tasks'), { recursive: true })
    await writeFiles(temporary, body)
    await replace(folder, temporary, existing !== undefined)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${folder} could not be written: ${(error as Error).message}`)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function writeFiles(folder: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  let board: (Board & { ids: TaskIds }) | undefined
  let position = 0
  for await (const line of linesOf(body)) {
    if (!board) {
      const head = JSON.parse(`${line}]}`) as Board
      board = { ...head, ids: new TaskIds(head.key) }
      await writeFile(join(folder, 'config.yml'), backlogConfig(head))
    } else if (line === ']}') return
    else {
      const task = JSON.parse(line.replace(/,$/, '')) as Task
      const { name, text } = taskFile(task, board.ids, position++)
      await writeFile(join(folder, 'tasks', name), text)
    }
  }
  throw new CommandError('The export broke off before its end. Try again')
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}

function checkReplaceable(folder: string, existing: readonly string[], force: boolean) {
  if (force && existing.includes('config.yml')) return
  const advice = force
    ? 'has no config.yml of Backlog.md, so nothing is replaced. Name another folder'
    : 'is not empty. Name another folder, or replace the tasks in this one with --force'
  throw new CommandError(`${folder} ${advice}`)
}

const TASK_FILE = /^[a-z]+-[\w.]+ - .*\.md$/i

/** Puts the new files in place. In an existing folder, only the configuration and tasks go. */
async function replace(folder: string, temporary: string, exists: boolean): Promise<void> {
  if (!exists) return rename(temporary, folder)
  const tasks = join(folder, 'tasks')
  await mkdir(tasks, { recursive: true })
  for (const name of await readdir(tasks)) if (TASK_FILE.test(name)) await rm(join(tasks, name))
  for (const name of await readdir(join(temporary, 'tasks')))
    await rename(join(temporary, 'tasks', name), join(tasks, name))
  await rename(join(temporary, 'config.yml'), join(folder, 'config.yml'))
}

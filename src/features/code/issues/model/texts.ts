import { contentFor, type Format } from '../../../../content/index.ts'
import type { PrepareContext } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { actorsOf } from '../../../identity/people/model/index.ts'
import { type CleanText, cleanText } from '../../../tasks/descriptions/model/index.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import type { Target } from './target.ts'

const MAX_HOST_TITLE = 255

/** A title as all hosts can store it. */
export const hostTitle = (title: string) => title.slice(0, MAX_HOST_TITLE).toWellFormed()

/** A text as hosts store it. */
export async function markdownOf(
  { services: { server }, linker: caller }: Target,
  text: string,
  format: Format,
): Promise<string> {
  if (format === 'markdown' || !text) return text
  return (await contentFor({ caller, server }).markdown(text, 'html')).trimEnd()
}

/** Who wrote a text that the account of the token posts. */
export async function creditLine(
  { services: { store, server } }: Target,
  actor_id: number,
  { ticket_number }: Pick<Task, 'ticket_number'>,
): Promise<string> {
  const name = (await store.read((tx) => actorsOf(tx, [actor_id]))).get(actor_id)?.name ?? ''
  const escaped = name.replace(/[<>&*_`[\]@#\\]/g, '')
  return `<sub>${escaped} on [${ticket_number}](${server.url}/t/${ticket_number})</sub>`
}

const MAX_TEXT = 1_000_000

/** A text of the host, cleaned for storage. Undefined if nothing of it can be shown. */
export async function cleanHostText(
  context: PrepareContext,
  text: string,
): Promise<CleanText | undefined> {
  const storable = text.slice(0, MAX_TEXT).replaceAll('\0', ' ').toWellFormed()
  if (!storable.trim()) return undefined
  try {
    return await cleanText(context, storable, 'markdown')
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid') return undefined
    throw error
  }
}

import type { Context, Looking, Warning } from '../../../kernel/caller.ts'
import { lacking } from '../../../kernel/dispatch.ts'
import { Fault } from '../../../kernel/fault.ts'
import type { Passage, PassageKind, Question } from '../../../kernel/outside.ts'
import { wordsOf } from '../../../search/words.ts'
import { boardsOf } from './boards.ts'
import { type Chosen, chosenBy } from './filters.ts'
import { KINDS, type MetadataFilters, ROWS } from './schema.ts'

/** What a library found, to be looked at again: it lags behind, and knows nobody. */
export interface Sought {
  passages: Passage[]
  warnings: Warning[]
}

export interface Wanted {
  text: string
  project_id?: number | undefined
  metadata_filters?: MetadataFilters | undefined
  limit?: number | undefined
  offset?: number | undefined
  /** A task whose own texts are no answer. */
  beside?: number | undefined
}

/** Some will be gone, or be nothing that the caller may read, and some lie side by side. */
const MORE = 3
const MOST = 200

/** What a caller may read that answers it; `name` is the field that is warned of. */
export async function sought(ask: Looking, wanted: Wanted, field: string): Promise<Sought> {
  const { library } = ask.server
  const warnings: Warning[] = []
  const { kinds, ...chosen } = await chosenFor(ask, wanted, warnings)
  if (!wordsOf(wanted.text, 1).length)
    warnings.push({ field, code: 'required', message: `${field} holds no word to look for` })
  if (library.isBuilding())
    warnings.push({
      field,
      code: 'index_building',
      message: 'The search index has yet to take some texts in; they are missing here',
    })
  const { text, limit = ROWS, offset = 0, beside } = wanted
  const isNone = [kinds, chosen.projects, chosen.tasks, chosen.authors].some(
    (some) => some?.length === 0,
  )
  if (isNone) return { passages: [], warnings }
  const question: Question = {
    ...{ text, ...chosen },
    ...(kinds.length < KINDS.length && { kinds }),
    ...(beside !== undefined && { beside }),
    limit: Math.min(MOST, (offset + limit) * MORE + 20),
  }
  return { passages: await library.seek(question).catch(refused), warnings }
}

function refused(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'Unready') throw error
  throw new Fault(
    'unavailable',
    'The search index does not answer just now',
    { retry_after: 2 },
    'Ask again in a few seconds; search by words works meanwhile: svc_search tasks',
  )
}

type Asked = Chosen & { projects: number[]; kinds: PassageKind[] }

const chosenFor = (ask: Looking, wanted: Wanted, warnings: Warning[]): Promise<Asked> =>
  ask.read(async (tx) => {
    const ctx = glance(ask, tx, warnings)
    const { project_id, metadata_filters = {} } = wanted
    const projects = await boardsOf(ctx, project_id)
    const kinds = kindsFor(ctx, metadata_filters.kind)
    return { projects, kinds, ...(await chosenBy(ctx, project_id, metadata_filters)) }
  })

/** A look before the transaction in which the answer is made. */
export const glance = (ask: Looking, tx: Context['tx'], warnings: Warning[] = []): Context => ({
  ...ask,
  tx,
  needs: 'tasks:read',
  emit: () => {
    throw new Error('Nothing happens while somebody only looks')
  },
  warn: (field, code, message) => void warnings.push({ field, code, message }),
  later: () => {},
  resolve: () => {
    throw new Error('A look converts nothing')
  },
})

/** What pages say is for those who may read pages. */
function kindsFor({ caller }: Context, asked: MetadataFilters['kind']): PassageKind[] {
  const wanted = asked === undefined ? [...KINDS] : [asked].flat()
  const may = wanted.filter((kind) => kind !== 'page' || caller.scopes.has('pages:read'))
  if (wanted.length && !may.length) throw lacking('pages:read')
  return [...new Set(may)]
}

export function passOn({ warn }: Context, { warnings }: Sought): void {
  for (const { field, code, message } of warnings) warn(field, code, message)
}

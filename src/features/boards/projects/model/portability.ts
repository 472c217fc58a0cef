import { Type as t } from '@sinclair/typebox'
import { asc, eq } from 'drizzle-orm'
import {
  actor,
  addUnique,
  type BoardPart,
  compare,
  type ExportedBoard,
  type FileCheck,
  from,
  type ImportedBoard,
  Key,
  MicroUsd,
  moment,
  newer,
  nullable,
  oneOf,
  orNull,
  Positive,
  plain,
  portableRows,
  type RecordOf,
  ShortText,
  standaloneLines,
  strict,
  type TeamExport,
  type TeamImport,
  Text,
} from '../../../../store/portability/index.ts'
import { projectMembers, projects } from './tables.ts'

const rows = portableRows(
  projects,
  {
    key: plain(Key),
    title: plain(ShortText),
    description: plain(nullable(Text)),
    access: plain(oneOf('team', 'invited')),
    status: plain(oneOf('Normal', 'Archive')),
    next_number: plain(Positive),
    custom_instruction: plain(nullable(Text)),
    working_rules: plain(nullable(Text)),
    definition_of_done: plain(t.Array(Text, { maxItems: 1000 })),
    notes: plain(nullable(Text)),
    model_selected: plain(nullable(t.String({ maxLength: 200 }))),
    // Files from before auto-archive have none.
    auto_archive_days: newer(plain(nullable(t.Integer({ minimum: 1, maximum: 3650 }))), null),
    // Files from before budgets and pauses have none.
    budget_micro_usd: newer(plain(nullable(MicroUsd)), null),
    paused_at: newer(orNull(moment), null),
    paused_by: newer(orNull(actor), null),
    playbook_version: plain(Positive),
    source_summary: plain(nullable(Text)),
    created_by: actor,
    created_at: moment,
    updated_at: moment,
  },
  {},
)
const memberRows = portableRows(
  projectMembers,
  { who: from('actor_id', actor), added_at: moment },
  {},
)
const members = t.Array(strict(memberRows.properties), { maxItems: 100_000 })
/** Without the lists that other nouns declare. */
const type = strict({ ...rows.properties, members })

/** The items of a part in the record of a board. */
const itemsOf = (record: object, { field }: BoardPart) =>
  (record as Record<string, never[]>)[field]!

const withParts = (parts: readonly BoardPart[]): typeof type =>
  strict({
    ...type.properties,
    ...Object.fromEntries(parts.map((part) => [part.field, part.type])),
  })

/** A board with its invited members and with the lists that other nouns declare. */
export const boardLinesWith = (parts: readonly BoardPart[]) =>
  standaloneLines({
    kind: 'board',
    type: withParts(parts),
    rows: [rows, memberRows, ...parts.map((part) => part.rows)],
    clean: ({ description, ...own }, clean) => ({
      ...{ ...own, description: description && clean(description, 'html').text },
    }),
    check: (record, file) => checkBoard(record, parts, file),
    async *export(team) {
      for (const board of team.boards) yield await exportBoard(team, board, parts)
    },
    async stage(record, team) {
      return { record, board: await stageBoard(record, parts, team) }
    },
    async publish(staged, _, tx) {
      for (const { record, board } of staged)
        for (const part of parts) await part.publish?.(itemsOf(record, part), board, tx)
      return staged.map(({ record: { title, key }, board: { project_id } }) => ({
        ...{ type: 'project.created', project_id, data: { title, key } },
      }))
    },
  })

type BoardRecord = RecordOf<{ type: typeof type }>

function checkBoard(record: BoardRecord, parts: readonly BoardPart[], file: FileCheck): void {
  file.unique('boards', record.key)
  const board = { sections: 0, labels: new Set<string>(), fields: new Set<string>() }
  const checked = { ...board, next: record.next_number }
  file.boards.set(record.key, checked)
  for (const part of parts) part.check(itemsOf(record, part), checked, file)
  const invited = new Set<string>()
  for (const { who } of record.members) addUnique(invited, 'invitations of', who)
  file.actor(...rows.actorsIn(record), ...invited)
}

async function exportBoard(
  team: TeamExport,
  board: ExportedBoard,
  parts: readonly BoardPart[],
): Promise<BoardRecord> {
  const { tx, names } = team
  const lists: Record<string, unknown[]> = {}
  for (const part of parts) lists[part.field] = await part.export(team, board)
  const ofBoard = eq(projects.project_id, board.project_id)
  const [row] = await tx.select().from(projects).where(ofBoard)
  return { ...rows.write(row!, names), ...lists, members: await membersOf(team, board) }
}

/** Inserts a board with its lists and its invited members. */
async function stageBoard(
  record: BoardRecord,
  parts: readonly BoardPart[],
  team: TeamImport,
): Promise<ImportedBoard> {
  const { inserter, team_id, ids } = team
  const row = { team_id, ...rows.read(record, ids) }
  const [inserted] = await inserter.insert(projects, [row], ['project_id'])
  const place = { team_id, project_id: inserted!.project_id }
  const labelOf = (name: string) => board.label_ids.get(name.toLowerCase())!
  const columnOf = (position: number) => board.section_ids[position]!
  const board: ImportedBoard = {
    ...{ ...place, ids: { ...ids, labelOf, columnOf } },
    ...{ section_ids: [], label_ids: new Map(), field_ids: new Map() },
  }
  for (const part of parts)
    Object.assign(board, await part.stage(itemsOf(record, part), board, team))
  const invited = record.members.map((member) => memberRows.read(member, ids))
  await inserter.insert(
    projectMembers,
    invited.map((member) => ({ ...place, ...member })),
  )
  team.boards.set(record.key, board)
  return board
}

async function membersOf({ tx, names }: TeamExport, { project_id }: ExportedBoard) {
  const found = await tx
    .select()
    .from(projectMembers)
    .where(eq(projectMembers.project_id, project_id))
    .orderBy(asc(projectMembers.actor_id))
  return found.map((row) => memberRows.write(row, names)).sort((a, b) => compare(a.who, b.who))
}

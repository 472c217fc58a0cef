import type { SendSummary, SentRecord } from '../../../import/send.ts'
import { plain } from '../table.ts'
import { count, section } from './plural.ts'

export interface ShownBoard {
  project_id: number
  key: string
  title: string
  url: string
}

export const boardsOf = ({ import: done }: SendSummary, url: string): ShownBoard[] =>
  (done?.projects ?? []).map((board) => ({ ...board, url: `${url}/projects/${board.project_id}` }))

/** What an import has done, for people. */
export function summaryText(summary: SendSummary, title: string, url: string): string {
  const { outcomes, kept, problems, unresolved, failedFiles, import: done } = summary
  const changes = Object.entries(outcomes).flatMap(([outcome, number]) =>
    number ? [`${number} ${outcome}`] : [],
  )
  const boards = boardsOf(summary, url)
  return [
    `Imported from ${title}: ${changes.join(', ') || 'nothing'}`,
    ...boards.map((board) => `${board.key}  ${plain(board.title)}  ${board.url}`),
    ...section('Changed here and there, so kept as they are here:', kept.map(nameOf)),
    ...section(
      'Not written completely:',
      problems.map((record) => `${nameOf(record)}: ${record.problem}`),
    ),
    ...(unresolved
      ? ['', `${count(unresolved, 'text')} or parents refer to tasks that are not imported`]
      : []),
    ...section(
      'Files that could not be imported:',
      failedFiles.map(({ filename, reason }) => `${filename}: ${reason.replace(FIELD, '')}`),
    ),
    ...['', `Undo it: cork imports undo ${done!.import_id}`],
  ].join('\n')
}

/** The field with which a refusal begins. */
const FIELD = /^attachment\S*: /

const nameOf = ({ kind, id, title, ticket_number }: SentRecord): string =>
  [ticket_number ?? `${kind} ${id}`, title].filter(Boolean).join(' ')

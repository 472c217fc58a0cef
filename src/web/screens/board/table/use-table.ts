import { useMemo, useRef, useState } from 'react'
import { useOperation } from '../../../data/cache.ts'
import type { Board, Card, Column } from '../../../entities/board/data.ts'
import type { Actor, ActorKey } from '../../../entities/user/actor.ts'
import { useMembers } from '../../../entities/user/members.ts'
import { dayOf } from '../../../kit/zone.ts'
import type { BoardQuery } from '../board-query.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { columnsOf, type TableColumn } from './column-list.ts'
import { type DetailsById, useDetails } from './details.ts'
import { type Display, groupsIn } from './display.ts'
import { fieldsOf } from './fields.ts'
import { type Group, groupRows, leafGroups } from './grouping.ts'
import { linesOf } from './lines.ts'
import { sortRows } from './sort.ts'
import type { CustomField, Field, Row, TableContext } from './types.ts'

const NO_FIELDS: readonly CustomField[] = []
const NO_LINES: readonly string[] = []
/** What the table shows: columns, rows in order, groups and lines. */
export function useTable(props: BoardLayoutProps) {
  const { board, shown, boardQuery, actors, labels } = props
  const [ownAdding, setAdding] = useState<string>()
  const { data } = useOperation('custom_fields.list', { project_id: board.project_id, limit: 50 })
  const fields = useMemo(() => fieldsOf(data?.items ?? NO_FIELDS), [data])
  const { display, sorting } = boardQuery
  const columns = useMemo(() => columnsOf(display, fields), [display, fields])
  const groupFields = useGroupFields(display, fields)
  const isNeeded = useNeedsDetails(columns, groupFields, fields, sorting)
  const { details, isLoading } = useDetails(board.project_id, board.seq, isNeeded)
  const context = useContextOf(board, shown, actors, labels)
  const rows = useRows(shown, details)
  const sorted = useMemo(
    () => sortRows(rows, sorting, fields, context),
    [rows, sorting, fields, context],
  )
  const today = dayOf(new Date())
  const withEmpty = !boardQuery.isFiltered
  const groups = useMemo(
    () =>
      groupFields.length
        ? groupRows(sorted, groupFields, { context, today, withEmpty })
        : undefined,
    [sorted, groupFields, context, today, withEmpty],
  )
  const collapsedPaths = display.collapsed ?? NO_LINES
  const collapsed = useMemo(() => new Set(collapsedPaths), [collapsedPaths])
  const adding = ownAdding ?? pathToAddIn(props.adding, groups)
  const doneIds = useMemo(
    () => new Set(board.sections.flatMap(({ done, section_id }) => (done ? section_id : []))),
    [board.sections],
  )
  const fieldsOfRow = useMemo(() => columns.map(({ field }) => field), [columns])
  const lines = useMemo(
    () => linesOf(sorted, groups, { collapsed, adding }),
    [sorted, groups, collapsed, adding],
  )
  return {
    ...{ fields, columns, groupFields, context, rows: sorted, groups, lines, collapsed },
    ...{ today, setAdding, isLoading, doneIds, fieldsOfRow },
  }
}
export type Table = ReturnType<typeof useTable>

/** The group for a new task of a column: its own one, or the first one. */
function pathToAddIn(section_id: number | undefined, groups: readonly Group[] | undefined) {
  if (section_id === undefined) return undefined
  const leaves = leafGroups(groups)
  const own = leaves.find(({ path }) => path === `section:${section_id}`)
  return (own ?? leaves[0])?.path ?? ''
}

/** The fields by which the rows are grouped; a deleted custom field groups nothing. */
const useGroupFields = (display: Display, fields: readonly Field[]) =>
  useMemo(
    () => groupsIn(display).flatMap((name) => fields.find((field) => field.name === name) ?? []),
    [display, fields],
  )

const useNeedsDetails = (
  columns: readonly TableColumn[],
  groupFields: readonly Field[],
  fields: readonly Field[],
  sorting: BoardQuery['sorting'],
) =>
  [
    ...columns.map(({ field }) => field),
    ...groupFields,
    ...fields.filter(({ sort }) => sorting.some(({ mode }) => mode === sort)),
  ].some(({ needsDetails }) => needsDetails)

function useContextOf(
  board: Board,
  shown: readonly Column[],
  actors: ReadonlyMap<ActorKey, Actor>,
  labels: TableContext['labels'],
): TableContext {
  const members = useMembers(board.project_id)
  return useMemo(
    () => ({
      ...{ board, sections: board.sections, shown, labels, members },
      actors: new Map([
        ...members.map((member) => [member.agent_id ?? member.user_id ?? 0, member] as const),
        ...actors,
      ]),
      cardsById: new Map(board.cards.map((card) => [card.task_id, card])),
    }),
    [board, shown, actors, labels, members],
  )
}

/** Rows keep their identity while their card and their details are the same. */
function useRows(shown: readonly Column[], details: DetailsById): readonly Row[] {
  const known = useRef(new WeakMap<Card, Row>())
  return useMemo(
    () =>
      shown.flatMap(({ cards }) =>
        cards.map((card) => {
          const own = details.get(card.task_id)
          const before = known.current.get(card)
          if (before && before.details === own) return before
          const row = { card, details: own }
          known.current.set(card, row)
          return row
        }),
      ),
    [shown, details],
  )
}

import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useRef,
} from 'react'
import { lazyComponent } from '../../../kit/lazy-component.ts'
import { t } from '../../../messages/t.ts'
import { useLayoutControls } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { bodyRole, gridRole } from './aria.ts'
import { CellEditor } from './cell-editor.tsx'
import { CHOOSER_WIDTH, headActions, templateOf } from './columns.ts'
import { controlsOf } from './controls.ts'
import { DrawnLine } from './drawn-line.tsx'
import { TableHead } from './head.tsx'
import { handleKey } from './keyboard.ts'
import { addressOf, pointerHandlers } from './pointer.ts'
import { TotalsRow } from './totals-row.tsx'
import './table.css'
import { PINNED } from './column-list.ts'
import { useCellActions, useRowActions } from './use-actions.ts'
import { HEAD, useCells } from './use-cells.ts'
import { useChangeTotal, useToggleGroup, useTotalOf } from './use-display-changes.ts'
import { elementOf, useCellFocus } from './use-focus.ts'
import { useIsNarrow } from './use-narrow.ts'
import { useTable } from './use-table.ts'
import { useVirtualLines } from './use-virtual-lines.ts'

const PasteDialog = lazyComponent(() => import('./paste-dialog.tsx'))

const WIDE = { row: 34, group: 36, head: 34 }
const NARROW = { row: 60, group: 40, head: 0 }
const SCREEN_LINES = 20

/** The state of the table and what its keys, clicks and drops do. */
function useTableView(props: BoardLayoutProps) {
  const isNarrow = useIsNarrow()
  const scroller = useRef<HTMLDivElement>(null)
  const table = useTable(props)
  const { lines, columns } = table
  const cells = useCells(lines, columns)
  const virtual = useVirtualLines(lines, scroller, isNarrow ? NARROW : WIDE)
  const canEdit = props.board.status !== 'Archive'
  const actions = useCellActions({
    ...{ props, table, cells, canEdit },
    elementOf: (address) => elementOf(scroller.current, address),
  })
  const toggleGroup = useToggleGroup(props.boardQuery, table)
  const controls = controlsOf({ props, table, cells, canEdit })
  useLayoutControls(props.controls, controls)
  const { active, focusTarget } = props
  useCellFocus({ scroller, rows: virtual.rows, lines, cells, active, focusTarget })
  const heads = headActions(table, props.boardQuery, () => scroller.current)
  const onKeyDown = (event: KeyboardEvent) =>
    handleKey(event, {
      ...{ cells, lines, columns, headActions: heads, pageSize: SCREEN_LINES },
      actions: {
        ...{ toggleGroup, clear: actions.clear, fillDown: actions.fillDown },
        edit: (text) => cells.focus && actions.edit(cells.focus, text),
        moveRow: ({ card }, dy) => controls.moveByKeys(card, 0, dy),
      },
    })
  const totalOf = useTotalOf(props.boardQuery)
  const rowActions = useRowActions(actions)
  const line = { props, table, cells, rowActions, canEdit, isNarrow, toggleGroup, totalOf }
  return { ...line, ...virtual, actions, line, scroller, heads, onKeyDown }
}
type View = ReturnType<typeof useTableView>

/** The list of a board: a table whose cells are edited in place; on a phone, rows of two lines. */
export default function TableView(props: BoardLayoutProps) {
  const view = useTableView(props)
  const { table, isNarrow, heads, cells, totalOf, rows, scroller } = view
  const changeTotal = useChangeTotal(props.boardQuery)
  const lines = <Lines view={view} />
  if (isNarrow)
    return (
      <div className="lines narrow" ref={scroller}>
        <div className="body" style={{ height: rows.getTotalSize() }}>
          {lines}
        </div>
        <Overlays view={view} />
      </div>
    )
  const focus = cells.focus?.line === HEAD ? cells.focus.field : undefined
  return (
    <Grid view={view} label={t('table.tasks_of_title', { title: props.board.title })}>
      <TableHead
        {...{ focus, table, columns: table.columns, actions: heads }}
        boardQuery={props.boardQuery}
        sorting={props.boardQuery.sorting}
      />
      <div {...bodyRole} className="body" style={{ height: rows.getTotalSize() }}>
        {lines}
      </div>
      <TotalsRow
        {...{ totalOf, columns: table.columns, rows: table.rows, onChange: changeTotal }}
        at={table.lines.length + 2}
      />
    </Grid>
  )
}

/** The visible lines. */
function Lines({ view: { rows, stickyIndex, line } }: { view: View }) {
  const { scrollMargin } = rows.options
  return rows.getVirtualItems().map(({ index, key, start, size }) => {
    const isStuck = index === stickyIndex.current
    return (
      <DrawnLine
        key={key}
        {...line}
        {...{ index, isStuck, height: size }}
        y={isStuck ? undefined : start - scrollMargin}
        onAdded={() => rows.scrollToIndex(index + 1)}
      />
    )
  })
}

interface GridProps {
  view: View
  label: string
  children: ReactNode
}

/** The grid, with the handlers for keys, pointers and the clipboard. */
function Grid({ view, label, children }: GridProps) {
  const { table, cells, actions, scroller, onKeyDown } = view
  const { columns, lines, context } = table
  const keyColumn = columns.find(({ field }) => field.name === 'key')
  const style = {
    '--columns': templateOf(columns),
    '--width': `${columns.reduce((sum, { width }) => sum + width, CHOOSER_WIDTH)}px`,
    '--pinned': columns.filter(({ field }) => PINNED.includes(field.name)).length,
    '--key-width': `${keyColumn?.width ?? 0}px`,
  } as CSSProperties
  return (
    <>
      <div
        ref={scroller}
        {...gridRole({
          'aria-label': label,
          'aria-rowcount': lines.length + 2,
          'aria-colcount': columns.length + 1,
          'aria-multiselectable': true,
          'aria-readonly': context.board.status === 'Archive' || undefined,
          'aria-busy': table.isLoading,
        })}
        className="lines table"
        style={style}
        {...pointerHandlers({ cells, edit: (address) => actions.edit(address) })}
        {...{ onKeyDown, onCopy: actions.onCopy, onPaste: actions.onPaste }}
        {...{ onFocus: ({ target }: FocusEvent) => onCellFocus(target, view) }}
      >
        {children}
      </div>
      <Overlays view={view} />
    </>
  )
}

/** A press on a title or a head focuses it without the arrow keys. */
function onCellFocus(target: Element, { cells, line }: View) {
  const head = target.closest<HTMLElement>(`[data-line="${HEAD}"] [data-field]`)
  const group = target.closest<HTMLElement>('.line-head[data-line]')
  const address =
    addressOf(target) ??
    (head && { line: HEAD, field: head.dataset.field! }) ??
    (group && { line: group.dataset.line!, field: cells.focus?.field ?? 'title' })
  if (!address) return
  const { focus } = cells
  if (focus?.line !== address.line || focus.field !== address.field) cells.focusCell(address)
  const task = target.closest<HTMLElement>('[data-task]')?.dataset.task
  if (task) line.props.onActivate(Number(task))
}

/** The list or the calendar of a cell, and the problems of a paste. */
function Overlays({ view: { table, actions } }: { view: View }) {
  const { picking, setPicking, paste, setPaste } = actions
  return (
    <Suspense>
      {picking && (
        <CellEditor
          {...picking}
          context={table.context}
          rows={table.rows.filter(({ card }) => picking.ids.includes(card.task_id))}
          onChange={actions.pick}
          onClose={() => {
            setPicking(undefined)
            actions.refocus()
          }}
        />
      )}
      {paste && (
        <PasteDialog
          {...{ paste, onPaste: actions.confirmPaste }}
          onClose={() => setPaste(undefined)}
        />
      )}
    </Suspense>
  )
}

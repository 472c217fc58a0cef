import type { Day } from '../../../kit/zone.ts'
import { daysOf, setDates, shiftDates } from '../dates.ts'
import type { LayoutControls } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { clampMove, datesAfter, daysAfter, spanText } from '../span.ts'
import type { Group, Row } from './rows.ts'
import { STEPS, type Zoom } from './scale.ts'
import type { TimelineViewport } from './use-viewport.ts'

interface ControlsInput extends Pick<BoardLayoutProps, 'project_id' | 'active' | 'onAdd'> {
  rows: readonly Row[]
  zoom: Zoom
  today: Day
  viewport: TimelineViewport
  add(group: Group | undefined): void
}

/** The controls of the timeline layout; bars handle dragging themselves. */
export function controlsOf({
  rows,
  zoom,
  today,
  viewport,
  add,
  ...rest
}: ControlsInput): LayoutControls {
  const { active, project_id, onAdd } = rest
  const tasks = rows.flatMap((row) => (row.is === 'task' ? row : []))
  return {
    step({ dx, dy }) {
      if (dx) return void viewport.scrollWeeks(dx)
      const at = tasks.findIndex(({ card }) => card.task_id === active)
      const next = tasks[at < 0 ? 0 : at + dy]
      if (next?.days) viewport.show(next.days.from, next.days.to)
      return next?.card.task_id
    },
    moveByKeys(card, dx) {
      if (!dx) return false
      const days = daysOf(card)
      const by = dx * STEPS[zoom]
      const after = days ? daysAfter(days, { part: 'both', by }) : { from: today, to: today }
      viewport.show(after.from, after.to)
      const dates = days ? shiftDates(card, by) : { due_date: today }
      void setDates(project_id, [card], () => dates, spanText(after), true)
      return true
    },
    resizeByKeys(card, by) {
      const days = daysOf(card)
      if (!days) return false
      const drag = clampMove({ part: 'end', by: by * STEPS[zoom] }, days)
      const after = daysAfter(days, drag)
      viewport.show(after.from, after.to)
      void setDates(project_id, [card], () => datesAfter(card, days, drag), spanText(after), true)
      return true
    },
    drop: () => {},
    create() {
      if (!onAdd) return false
      const activeRow = tasks.find(({ card }) => card.task_id === active)
      add(activeRow?.group ?? rows[0]?.group)
    },
    changePeriod(by) {
      if (by) viewport.page(by)
      else viewport.toToday()
      return true
    },
  }
}

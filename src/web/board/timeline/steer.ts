import type { Day } from '../../parts/zone.ts'
import { daysOf, redate, shifted } from '../dates.ts'
import type { LaidProps } from '../laid.tsx'
import type { Steering } from '../steering.ts'
import { spanWords } from './bar.tsx'
import type { Group, Row } from './rows.ts'
import { STEPS, type Zoom } from './scale.ts'
import { daysAfter } from './use-drag.ts'
import type { Sheet } from './use-sheet.ts'

interface Given extends Pick<LaidProps, 'project_id' | 'active' | 'onAdd'> {
  rows: readonly Row[]
  zoom: Zoom
  today: Day
  sheet: Sheet
  add(group: Group | undefined): void
}

/** What the keys do on a timeline; hands pull the bars themselves. */
export function steeringOf({ rows, zoom, today, sheet, add, ...rest }: Given): Steering {
  const { active, project_id, onAdd } = rest
  const tasks = rows.flatMap((row) => (row.is === 'task' ? row : []))
  return {
    step({ across, down }) {
      if (across) return void sheet.nudge(across)
      const at = tasks.findIndex(({ card }) => card.task_id === active)
      const next = tasks[at < 0 ? 0 : at + down]
      if (next?.days) sheet.show(next.days.from, next.days.to)
      return next?.card.task_id
    },
    carry(card, across) {
      if (!across) return false
      const days = daysOf(card)
      const by = across * STEPS[zoom]
      const after = days ? daysAfter(days, { part: 'both', by }) : { from: today, to: today }
      sheet.show(after.from, after.to)
      const dates = days ? shifted(card, by) : { due_date: today }
      void redate(project_id, [card], () => dates, spanWords(after), true)
      return true
    },
    drop: () => {},
    create() {
      if (!onAdd) return false
      const here = tasks.find(({ card }) => card.task_id === active)
      add(here?.group ?? rows[0]?.group)
    },
    turn(by) {
      if (by) sheet.page(by)
      else sheet.toToday()
      return true
    },
  }
}

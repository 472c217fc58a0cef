import type { Card } from '../../../entities/board/data.ts'
import type { TaskColors } from '../colors/use-task-colors.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import type { Item } from './model.ts'
import type { CalendarPeriod } from './use-period.ts'
import type { StartResize } from './use-resize.ts'

export interface DaysProps extends BoardLayoutProps {
  days: CalendarPeriod
  items: readonly Item[]
  undated: readonly Card[]
  colorOf: TaskColors['colorOf']
  onResize: StartResize
}

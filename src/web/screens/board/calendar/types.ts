import type { Card } from '../../../entities/board/data.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import type { Item } from './model.ts'
import type { CalendarPeriod } from './use-period.ts'

export interface DaysProps extends BoardLayoutProps {
  days: CalendarPeriod
  items: readonly Item[]
  undated: readonly Card[]
}

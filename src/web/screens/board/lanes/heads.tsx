import type { Column } from '../../../entities/board/data.ts'
import { type ColumnActions, ColumnHead } from '../columns/column-head.tsx'
import type { Grid } from './use-grid.ts'

interface Props {
  grid: Grid
  shown: readonly Column[]
  actions: ColumnActions
  onAdd: ((section_id: number) => void) | undefined
}

/** The column heads above the lanes. */
export const Heads = ({ grid, shown, actions, onAdd }: Props) => (
  <div className="heads" style={{ ...grid.template, width: grid.width }}>
    {grid.visible.map(({ index }) => {
      const column = shown[index]!
      const { section_id } = column
      return (
        <div key={section_id} className="column" style={{ gridColumn: index + 1 }}>
          <ColumnHead {...{ column, actions }} onAdd={onAdd && (() => onAdd(section_id))} />
        </div>
      )
    })}
  </div>
)

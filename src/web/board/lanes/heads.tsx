import { type ColumnDeeds, ColumnHead } from '../column-head.tsx'
import type { Column } from '../data.ts'
import type { Grid } from './use-grid.ts'

interface Props {
  grid: Grid
  shown: readonly Column[]
  deeds: ColumnDeeds
  onAdd: ((section_id: number) => void) | undefined
}

/** The columns that all lanes cross, above the first of them. */
export const Heads = ({ grid, shown, deeds, onAdd }: Props) => (
  <div className="heads" style={{ ...grid.template, width: grid.width }}>
    {grid.seen.map(({ index }) => {
      const column = shown[index]!
      const { section_id } = column
      return (
        <div key={section_id} className="column" style={{ gridColumn: index + 1 }}>
          <ColumnHead {...{ column, deeds }} onAdd={onAdd && (() => onAdd(section_id))} />
        </div>
      )
    })}
  </div>
)

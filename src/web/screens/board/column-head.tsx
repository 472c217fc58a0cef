import { useRef, useState } from 'react'
import type { Column } from '../../entities/board/data.ts'
import { Icon } from '../../kit/icon.tsx'
import { Menu } from '../../kit/menu.tsx'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { RenameField } from '../../kit/rename-field.tsx'
import { Count } from './count.tsx'
import { useDragColumn } from './drag.ts'

export interface ColumnActions {
  rename(column: Column, title: string): void
  setDone(column: Column, done: boolean): void
  setHidden(column: Column, hidden: boolean): void
  limit(column: Column): void
  add(column: Column, side: 'left' | 'right'): void
  shift(column: Column, by: 1 | -1): void
  place(section_id: number, beside: number, isAfter: boolean): void
  remove(column: Column): void
}

interface Props {
  column: Column
  actions: ColumnActions
  onAdd: (() => void) | undefined
}

export function ColumnHead({ column, actions, onAdd }: Props) {
  const [renaming, setRenaming] = useState(false)
  const { title, done, hidden } = column
  return (
    <header>
      {renaming ? (
        <RenameField
          title={title}
          name="Column name"
          onPut={(next) => {
            setRenaming(false)
            if (next) actions.rename(column, next)
          }}
        />
      ) : (
        <Name column={column} onRename={() => setRenaming(true)} />
      )}
      {done && <Icon name="done" label="Counts as done" />}
      {hidden && (
        <span className="soft">
          <Icon name="moon" label="Hidden" />
        </span>
      )}
      <Count column={column} />
      <span className="deeds">
        <Menu
          label={`Column ${title}`}
          groups={menuItemsOf(column, actions, () => setRenaming(true), onAdd !== undefined)}
          trigger={
            <button type="button" className="button quiet only">
              <Icon name="dots" label={`More about ${title}`} />
            </button>
          }
        />
        {onAdd && (
          <button type="button" className="button quiet only" onClick={onAdd}>
            <Icon name="plus" label={`Add a task to ${title}`} />
          </button>
        )}
      </span>
    </header>
  )
}

/** The name of the column, by which it can be dragged. */
function Name({ column, onRename }: { column: Column; onRename(): void }) {
  const element = useRef<HTMLHeadingElement>(null)
  useDragColumn(element, column)
  return (
    <h2 ref={element} title={column.title} onDoubleClick={onRename}>
      {column.title}
    </h2>
  )
}

const menuItemsOf = (
  column: Column,
  actions: ColumnActions,
  rename: () => void,
  canAdd: boolean,
): MenuItem[][] => [
  [
    { name: 'Rename', icon: 'pencil', run: rename },
    {
      ...{ name: 'Counts as done', checked: column.done },
      run: () => actions.setDone(column, !column.done),
    },
    column.hidden
      ? { name: 'Unhide', icon: 'sun', run: () => actions.setHidden(column, false) }
      : { name: 'Hide', icon: 'moon', run: () => actions.setHidden(column, true) },
    { name: 'Set limit…', icon: 'bars', run: () => actions.limit(column) },
  ],
  [
    { name: 'Move left', icon: 'back', run: () => actions.shift(column, -1) },
    { name: 'Move right', icon: 'arrow', run: () => actions.shift(column, 1) },
    ...(canAdd ? addItemsOf(column, actions) : []),
  ],
  [{ name: 'Delete…', icon: 'trash', danger: true, run: () => actions.remove(column) }],
]

const addItemsOf = (column: Column, actions: ColumnActions): MenuItem[] => [
  { name: 'Add column to the left', icon: 'plus', run: () => actions.add(column, 'left') },
  { name: 'Add column to the right', icon: 'plus', run: () => actions.add(column, 'right') },
]

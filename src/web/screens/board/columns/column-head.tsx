import { useRef, useState } from 'react'
import type { Column } from '../../../entities/board/data.ts'
import { RoleIcon } from '../../../entities/board/role-icon.tsx'
import { contextMenu } from '../../../kit/context-menu.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { Menu } from '../../../kit/menu.tsx'
import type { MenuItem } from '../../../kit/menu-popup.tsx'
import { RenameField } from '../../../kit/rename-field.tsx'
import { t } from '../../../messages/t.ts'
import { useDragColumn } from '../drag/drag.ts'
import { Count } from './count.tsx'

export interface ColumnActions {
  rename(column: Column, title: string): void
  setDone(column: Column, done: boolean): void
  setHidden(column: Column, hidden: boolean): void
  limit(column: Column): void
  pickColor(column: Column, anchor: Element | null): void
  add(column: Column, side: 'left' | 'right'): void
  shift(column: Column, by: 1 | -1): void
  moveNextTo(section_id: number, neighbourId: number, isAfter: boolean): void
  remove(column: Column): void
}

interface Props {
  column: Column
  actions: ColumnActions
  onAdd: (() => void) | undefined
}

export function ColumnHead({ column, actions, onAdd }: Props) {
  const [renaming, setRenaming] = useState(false)
  const menuButton = useRef<HTMLButtonElement>(null)
  const { title, hidden } = column
  const menu = {
    label: t('board.column_title', { title }),
    groups: menuItemsOf(column, {
      ...actions,
      startRename: () => setRenaming(true),
      pickColor: () => actions.pickColor(column, menuButton.current),
      addTask: onAdd,
    }),
  }
  return (
    <header {...contextMenu(() => menu)}>
      <RoleIcon column={column} />
      {renaming ? (
        <RenameField
          title={title}
          name={t('board.column_name')}
          onFinish={(next) => {
            setRenaming(false)
            if (next) actions.rename(column, next)
          }}
        />
      ) : (
        <Name column={column} onRename={() => setRenaming(true)} />
      )}
      {hidden && (
        <span className="soft">
          <Icon name="moon" label={t('board.hidden')} />
        </span>
      )}
      <Count column={column} />
      <span className="actions">
        <Menu
          {...menu}
          trigger={
            <button ref={menuButton} type="button" className="button quiet only">
              <Icon name="dots" label={t('board.more_about_title', { title })} />
            </button>
          }
        />
        {onAdd && (
          <button type="button" className="button quiet only" onClick={onAdd}>
            <Icon name="plus" label={t('board.add_a_task_to_title', { title })} />
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

interface MenuActions extends Omit<ColumnActions, 'pickColor'> {
  startRename(): void
  pickColor(): void
  addTask: (() => void) | undefined
}

const menuItemsOf = (column: Column, actions: MenuActions): MenuItem[][] => [
  [
    ...(actions.addTask
      ? [{ name: t('board.add_a_task'), icon: 'plus' as const, run: actions.addTask }]
      : []),
    { name: t('common.rename'), icon: 'pencil', run: actions.startRename },
    {
      ...{ name: t('common.counts_as_done'), checked: column.done },
      run: () => actions.setDone(column, !column.done),
    },
    column.hidden
      ? { name: t('board.unhide'), icon: 'sun', run: () => actions.setHidden(column, false) }
      : { name: t('common.hide'), icon: 'moon', run: () => actions.setHidden(column, true) },
    { name: t('board.set_limit'), icon: 'bars', run: () => actions.limit(column) },
    { name: t('board.set_colour'), icon: 'tag', run: actions.pickColor },
  ],
  [
    { name: t('board.move_left'), icon: 'back', run: () => actions.shift(column, -1) },
    { name: t('board.move_right'), icon: 'arrow', run: () => actions.shift(column, 1) },
    ...(actions.addTask ? addItemsOf(column, actions) : []),
  ],
  [{ name: t('common.delete'), icon: 'trash', danger: true, run: () => actions.remove(column) }],
]

const addItemsOf = (column: Column, actions: Pick<ColumnActions, 'add'>): MenuItem[] => [
  { name: t('board.add_column_to_the_left'), icon: 'plus', run: () => actions.add(column, 'left') },
  {
    name: t('board.add_column_to_the_right'),
    icon: 'plus',
    run: () => actions.add(column, 'right'),
  },
]

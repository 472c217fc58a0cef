import type { CSSProperties, ReactNode, Ref } from 'react'
import { Link } from 'wouter'
import { contextMenu } from '../../kit/context-menu.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Menu } from '../../kit/menu.tsx'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { RenameField } from '../../kit/rename-field.tsx'
import { t } from '../../messages/t.ts'
import './rows.css'

interface Props {
  id: string
  name: string
  /** Where it leads; a row without an address only folds. */
  path?: string | undefined
  state?: object
  level: number
  icon: ReactNode
  isCurrent?: boolean
  /** Undefined if nothing is below it. */
  isOpen?: boolean | undefined
  isRenaming: boolean
  ref?: Ref<HTMLLIElement>
  menu: readonly (readonly MenuItem[])[]
  onToggle(): void
  onRename(title: string | undefined): void
}

/** A row of the sidebar with what is below it: it folds, has a menu and is renamed in place. */
export function SideRow(props: Props) {
  const { id, name, level, menu, isOpen, isRenaming, ref, onToggle, onRename } = props
  const content = { label: t('shell.actions_for_name', { name }), groups: menu }
  if (isRenaming)
    return (
      <li className="side-row" data-row={id} style={{ '--level': level } as CSSProperties}>
        <RenameField title={name} name={t('shell.name')} maxLength={200} onFinish={onRename} />
      </li>
    )
  return (
    <li
      className="side-row"
      data-row={id}
      ref={ref}
      style={{ '--level': level } as CSSProperties}
      {...contextMenu(() => content)}
    >
      {isOpen !== undefined && (
        <button
          type="button"
          className="fold"
          tabIndex={-1}
          aria-expanded={isOpen}
          onClick={onToggle}
        >
          <Icon name="chevron" label={t('shell.show_what_is_in_name', { name })} />
        </button>
      )}
      <RowTarget {...props} />
      <Menu
        {...content}
        trigger={
          <button type="button" className="button quiet only row-menu" tabIndex={-1}>
            <Icon name="dots" label={content.label} />
          </button>
        }
      />
    </li>
  )
}

function RowTarget({ name, path, state, icon, isCurrent, isOpen, onToggle }: Props) {
  const content = (
    <>
      {icon}
      <span className="name truncate" dir="auto">
        {name}
      </span>
    </>
  )
  if (path === undefined)
    return (
      <button
        type="button"
        className="place"
        title={name}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        {content}
      </button>
    )
  return (
    <Link
      href={path}
      {...(state && { state })}
      className="place"
      // The row is dragged, not its address.
      draggable={false}
      title={name}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {content}
    </Link>
  )
}

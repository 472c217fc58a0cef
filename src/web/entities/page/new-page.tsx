import { useLocation } from 'wouter'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { Menu } from '../../kit/menu.tsx'
import { t } from '../../messages/t.ts'
import { NEW_PAGE_TYPES, type NewPageType, newPath } from './new-path.ts'
import { originState } from './origin.ts'

const NAMES: Record<NewPageType, [string, IconName]> = {
  page: [t('common.page'), 'page'],
  exploration: [t('page.exploration'), 'search'],
  description: [t('common.description'), 'list'],
  canvas: [t('page.html_canvas'), 'canvas'],
}

interface Props {
  ticket: string
  /** The id of the page to nest it in. */
  parentId?: number
  /** Shows only the icon. */
  isShort?: boolean
}

/** Starts a new page, which is created on the first save. */
export function NewPage({ ticket, parentId, isShort = false }: Props) {
  const [, go] = useLocation()
  const name = parentId === undefined ? t('page.new_page') : t('page.new_nested_page')
  const start = (type: NewPageType) => go(newPath(ticket, type, parentId), { state: originState() })
  const groups = [
    NEW_PAGE_TYPES.map((type) => ({
      ...{ name: NAMES[type][0], icon: NAMES[type][1], run: () => start(type) },
    })),
  ]
  const trigger = (
    <button type="button" className={`button quiet${isShort ? ' only' : ''}`}>
      <Icon name="plus" {...(isShort && { label: name })} />
      {!isShort && name}
    </button>
  )
  return <Menu label={name} {...{ trigger, groups }} />
}

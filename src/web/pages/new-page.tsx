import { useLocation } from 'wouter'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { from } from './from.ts'
import { newPath, SORTS, type Sort } from './new-path.ts'

const NAMES: Record<Sort, [string, IconName]> = {
  page: ['Page', 'page'],
  exploration: ['Exploration', 'search'],
  description: ['Description', 'list'],
  canvas: ['HTML canvas', 'canvas'],
}

interface Props {
  ticket: string
  /** The page that it is to be nested in. */
  under?: number
  /** Only its sign is shown. */
  isShort?: boolean
}

/** Begins a page; there is none before something of it is saved. */
export function NewPage({ ticket, under, isShort = false }: Props) {
  const [, go] = useLocation()
  const name = under === undefined ? 'New page' : 'New page in this one'
  const begin = (sort: Sort) => go(newPath(ticket, sort, under), { state: from() })
  const groups = [
    SORTS.map((sort) => ({
      ...{ name: NAMES[sort][0], icon: NAMES[sort][1], run: () => begin(sort) },
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

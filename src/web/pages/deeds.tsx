import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ask } from '../data/client.ts'
import { say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { type Deed, Menu } from '../parts/menu.tsx'
import { PickOne } from '../parts/pick.tsx'
import { archivePage, changePage, type Page, type PageRow, refused } from './data.ts'
import { from, wayBack } from './from.ts'
import { within } from './nesting.ts'
import { newPath } from './new-path.ts'

interface Props {
  page: Page
  pages: readonly PageRow[]
  /** It is put away, so only looked at. */
  isFixed: boolean
}

/** All that can be done with a page as a whole. */
export function PageMenu({ page, pages, isFixed }: Props) {
  const [moving, setMoving] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const [, go] = useLocation()
  const { page_id, parent_page_id, ticket_number } = page
  const archive = async () => {
    if (!(await archivePage(page))) return
    const parent = pages.find((one) => one.page_id === parent_page_id)
    if (parent) go(`/p/${parent.page_id}`, { state: from() })
    else go(wayBack(ticket_number))
  }
  const changes: Deed[] = [
    {
      ...({ name: 'New page in this one', icon: 'plus' } as const),
      run: () => go(newPath(ticket_number, 'page', page_id), { state: from() }),
    },
    { name: 'Move under another page…', icon: 'under', run: () => setMoving(true) },
    { name: 'Archive', icon: 'archive', run: () => void archive() },
  ]
  return (
    <>
      <Menu
        label="About this page"
        trigger={
          <button type="button" ref={button} className="button quiet only">
            <Icon name="dots" label="More about this page" />
          </button>
        }
        groups={isFixed ? [copiesOf(page)] : [copiesOf(page), changes]}
      />
      {moving && (
        <Moving {...{ page, pages }} anchor={button.current} onClose={() => setMoving(false)} />
      )}
    </>
  )
}

function copiesOf(page: Page): Deed[] {
  const { page_id, public_id, canvas } = page
  const copy = (words: string, what: string) => {
    void navigator.clipboard.writeText(words)
    say(`Copied ${what}`)
  }
  const text = async () => {
    if (canvas) return (await ask('pages.canvas', { page_id })).html
    return (await ask('pages.get', { page_id, format: 'markdown' })).content
  }
  const link = `${location.origin}/p/${public_id}`
  return [
    { name: 'Copy link', icon: 'link', run: () => copy(link, 'the link') },
    {
      ...({ name: canvas ? 'Copy as HTML' : 'Copy as markdown', icon: 'copy' } as const),
      run: () => void text().then((words) => copy(words, 'the text'), refused),
    },
    { name: 'Print', icon: 'page', run: () => print() },
  ]
}

interface MovingProps extends Omit<Props, 'isFixed'> {
  anchor: Element | null
  onClose(): void
}

/** Only pages that it can be nested in are offered. */
function Moving({ page, pages, anchor, onClose }: MovingProps) {
  const { page_id, parent_page_id: before, title } = page
  const own = within(pages, page_id)
  const choices = [
    { value: 0, name: 'In none: beside the others' },
    ...pages
      .filter((one) => !own.has(one.page_id))
      .map((one) => ({ value: one.page_id, name: one.title })),
  ]
  const put = (parent_page_id: number | null) =>
    changePage(page, { parent_page_id }, { parent_page_id })
  const pick = async (value: number) => {
    onClose()
    if ((value || null) === before) return
    const name = pages.find((one) => one.page_id === value)?.title
    if (await put(value || null))
      say(name ? `Moved “${title}” under “${name}”` : `Moved “${title}” out`, () => {
        void put(before)
      })
  }
  return (
    <PickOne
      label="Move under"
      value={before ?? 0}
      {...{ choices, anchor }}
      open
      onOpen={(open) => open || onClose()}
      onPick={(value) => void pick(value)}
    />
  )
}

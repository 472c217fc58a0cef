import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { callOperation } from '../../data/client.ts'
import { changePage, type Page, type PageRow } from '../../entities/page/data.ts'
import { subtreeOf } from '../../entities/page/nesting.ts'
import { backPath, originState } from '../../entities/page/origin.ts'
import { archiveItem, nestedPageItem, pageLinkItems } from '../../entities/page/page-items.ts'
import { togglePin, usePins } from '../../entities/sidebar/pins.ts'
import { copyText } from '../../kit/copy-text.ts'
import { Icon } from '../../kit/icon.tsx'
import { Menu } from '../../kit/menu.tsx'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { PickOne } from '../../kit/pick.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

interface Props {
  page: Page
  pages: readonly PageRow[]
  /** The page is archived and cannot be changed. */
  isReadOnly: boolean
}

/** The menu of actions on a page. */
export function PageMenu({ page, pages, isReadOnly }: Props) {
  const [isMoving, setMoving] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const [, go] = useLocation()
  const { page_id, parent_page_id, ticket_number } = page
  const leave = () => {
    const parent = pages.find((one) => one.page_id === parent_page_id)
    if (parent) go(`/p/${parent.page_id}`, { state: originState() })
    else go(backPath(ticket_number))
  }
  const { entries } = usePins()
  const pin = entries.find(
    ({ path }) => path === `/p/${page_id}` || path === `/p/${page.public_id}`,
  )
  const pinItem: MenuItem = {
    ...{ name: pin ? t('sidebar.unpin') : t('sidebar.pin_to_the_sidebar'), icon: 'pin' },
    run: () => void togglePin(pin?.path ?? `/p/${page_id}`, page.title, pin !== undefined),
  }
  const changeItems: MenuItem[] = [
    nestedPageItem(page, go),
    { name: t('pages.move_under_another_page'), icon: 'under', run: () => setMoving(true) },
    archiveItem(page, leave),
  ]
  return (
    <>
      <Menu
        label={t('page.page_actions')}
        trigger={
          <button type="button" ref={button} className="button quiet only">
            <Icon name="dots" label={t('pages.more_about_this_page')} />
          </button>
        }
        groups={isReadOnly ? [copyItems(page)] : [copyItems(page), [pinItem, ...changeItems]]}
      />
      {isMoving && (
        <MovePicker {...{ page, pages }} anchor={button.current} onClose={() => setMoving(false)} />
      )}
    </>
  )
}

function copyItems(page: Page): MenuItem[] {
  const { page_id, canvas } = page
  const text = async () => {
    if (canvas) return (await callOperation('pages.canvas', { page_id })).html
    return (await callOperation('pages.get', { page_id, format: 'markdown' })).content
  }
  return [
    ...pageLinkItems(page),
    {
      ...({
        name: canvas ? t('pages.copy_as_html') : t('pages.copy_as_markdown'),
        icon: 'copy',
      } as const),
      run: () =>
        void text().then((copiedText) => copyText(copiedText, t('pages.the_text')), showError),
    },
    { name: t('pages.print_or_save_as_pdf'), icon: 'page', run: () => print() },
  ]
}

interface MovePickerProps extends Omit<Props, 'isReadOnly'> {
  anchor: Element | null
  onClose(): void
}

/** Offers only pages that are not nested in this one. */
function MovePicker({ page, pages, anchor, onClose }: MovePickerProps) {
  const { page_id, parent_page_id: currentParent, title } = page
  const subtree = subtreeOf(pages, page_id)
  const choices = [
    { value: 0, name: t('pages.no_parent_page') },
    ...pages
      .filter((one) => !subtree.has(one.page_id))
      .map((one) => ({ value: one.page_id, name: one.title })),
  ]
  const setParent = (parent_page_id: number | null) =>
    changePage(page, { parent_page_id }, { parent_page_id })
  const pick = async (value: number) => {
    onClose()
    if ((value || null) === currentParent) return
    const name = pages.find((one) => one.page_id === value)?.title
    if (await setParent(value || null))
      showToast(
        name
          ? t('pages.moved_title_under_name', { title, name })
          : t('pages.moved_title_to_the_top_level', { title }),
        () => {
          void setParent(currentParent)
        },
      )
  }
  return (
    <PickOne
      label={t('pages.move_under')}
      value={currentParent ?? 0}
      {...{ choices, anchor }}
      open
      onOpen={(open) => open || onClose()}
      onPick={(value) => void pick(value)}
    />
  )
}

import { basePath } from '../../kit/base-path.ts'
import { copyText } from '../../kit/copy-text.ts'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { t } from '../../messages/t.ts'
import { archivePage, type PageRow } from './data.ts'
import { newPath } from './new-path.ts'
import { originState } from './origin.ts'

type ListedPage = Pick<PageRow, 'page_id' | 'public_id' | 'task_id' | 'ticket_number' | 'title'>
type Go = (path: string, options: { state: unknown }) => void

/** The items of a page's menu that copy its address and open it elsewhere. */
export const pageLinkItems = ({ public_id }: ListedPage): MenuItem[] => {
  const path = `${basePath}/p/${public_id}`
  return [
    {
      ...({ name: t('common.open_in_a_new_tab'), icon: 'open' } as const),
      run: () => void open(path, '_blank', 'noopener'),
    },
    {
      ...({ name: t('common.copy_link'), icon: 'link' } as const),
      run: () => copyText(location.origin + path, t('page.the_link')),
    },
  ]
}

export const nestedPageItem = ({ ticket_number, page_id }: ListedPage, go: Go): MenuItem => ({
  ...({ name: t('page.new_nested_page'), icon: 'plus' } as const),
  run: () => go(newPath(ticket_number, 'page', page_id), { state: originState() }),
})

export const archiveItem = (page: ListedPage, onArchived: () => void = () => {}): MenuItem => ({
  ...({ name: t('common.archive'), icon: 'archive' } as const),
  run: () => void archivePage(page).then((isArchived) => isArchived && onArchived()),
})

import { useLocation } from 'wouter'
import { cache } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import {
  changePage,
  type Page,
  type PageRow,
  pageQuery,
  renamePage,
} from '../../entities/page/data.ts'
import { archiveItem, nestedPageItem, pageLinkItems } from '../../entities/page/page-items.ts'
import { togglePin, usePins } from '../../entities/sidebar/pins.ts'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

const fetchPage = ({ page_id }: Pick<PageRow, 'page_id'>): Promise<Page> =>
  callOperation('pages.get', pageQuery(page_id))

/** The lists of boards do not name the task, so `changePage` does not reload them. */
const reloadLists = () => void cache.invalidateQueries({ queryKey: ['pages.list'] })

export async function renameRow(row: PageRow, title: string) {
  try {
    await renamePage(await fetchPage(row), title)
  } catch (error) {
    showError(error)
  }
  reloadLists()
}

/** Nests a page in another one, or moves it to the top level, with undo. */
export async function nestPage(pages: readonly PageRow[], id: number, parent: number | null) {
  const row = pages.find(({ page_id }) => page_id === id)
  if (!row || row.parent_page_id === parent) return
  const { title, parent_page_id: before } = row
  const setParent = async (parent_page_id: number | null) => {
    const isDone = await changePage(await fetchPage(row), { parent_page_id }, { parent_page_id })
    reloadLists()
    return isDone !== undefined
  }
  const name = pages.find(({ page_id }) => page_id === parent)?.title
  try {
    if (await setParent(parent))
      showToast(
        name === undefined
          ? t('pages.moved_title_to_the_top_level', { title })
          : t('pages.moved_title_under_name', { title, name }),
        () => setParent(before),
      )
  } catch (error) {
    showError(error)
  }
}

/** The menu of a page in the sidebar. */
export function usePageMenu(page: PageRow, startRenaming: () => void): MenuItem[][] {
  const [, go] = useLocation()
  const { entries } = usePins()
  const { page_id, title, ticket_number, parent_page_id } = page
  const path = `/p/${page_id}`
  const isPinned = entries.some((one) => one.path === path)
  return [
    pageLinkItems(page),
    [
      nestedPageItem(page, go),
      {
        ...{ name: isPinned ? t('sidebar.unpin') : t('sidebar.pin_to_the_sidebar'), icon: 'pin' },
        run: () => void togglePin(path, title, isPinned),
      },
    ],
    [
      { name: t('common.rename'), icon: 'pencil', hint: 'F2', run: startRenaming },
      ...(parent_page_id === null
        ? []
        : [
            {
              name: t('shell.move_to_the_top_level'),
              run: () => void nestPage([page], page_id, null),
            },
          ]),
      {
        ...{ name: t('shell.open_its_task'), icon: 'board' },
        run: () => go(`/t/${ticket_number}`),
      },
    ],
    [archiveItem(page)],
  ]
}

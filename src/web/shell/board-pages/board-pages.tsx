import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { archivePage, type PageRow } from '../../entities/page/data.ts'
import { type TreeNode, visibleNodes } from '../../entities/page/nesting.ts'
import { originState } from '../../entities/page/origin.ts'
import { kindOf } from '../../entities/page/tree.tsx'
import type { Me } from '../../entities/user/me.ts'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { focusRow, handleRowKey } from '../rows/keys.ts'
import { SideRow } from '../rows/row.tsx'
import { closedPages, useBoardPages } from './data.ts'
import { usePageDrag } from './drag.ts'
import { nestPage, renameRow, usePageMenu } from './page-actions.ts'

/** The pages of a board as a tree in the sidebar, below the board. */
export default function BoardPages({ board }: { board: Me['boards'][number] }) {
  const { list, pages } = useBoardPages(board.project_id)
  const closed = closedPages.use()
  const [renaming, setRenaming] = useState<number>()
  const nodes = visibleNodes(pages, new Set([...closed].map(Number)))
  const fold = (index: number, isOpen: boolean) => {
    const node = nodes[index]!
    if (!node.hasChildren || node.isOpen === isOpen) return false
    closedPages.toggle(String(node.page.page_id), !isOpen)
    return true
  }
  const finish = (page: PageRow, title: string | undefined) => {
    setRenaming(undefined)
    if (title) void renameRow(page, title)
    focusRow(`page-${page.page_id}`)
  }
  return (
    <ul
      className="side-rows"
      aria-label={t('shell.pages_of_title', { title: board.title })}
      onKeyDown={(event) =>
        handleRowKey(event, {
          ...{ fold, levelOf: (index) => nodes[index]!.level },
          rename: (index) => setRenaming(nodes[index]!.page.page_id),
          remove: (index) => void archivePage(nodes[index]!.page),
        })
      }
    >
      {nodes.map((node) => (
        <PageItem
          key={node.page.page_id}
          {...{ node, pages }}
          isRenaming={renaming === node.page.page_id}
          startRenaming={() => setRenaming(node.page.page_id)}
          onToggle={() => closedPages.toggle(String(node.page.page_id), node.isOpen)}
          onRename={(title) => finish(node.page, title)}
        />
      ))}
      <Rest list={list} isEmpty={list.isSuccess && !pages.length} />
    </ul>
  )
}

/** What follows the pages: an error, a hint that there are none, or a button for the next ones. */
const Rest = ({
  list,
  isEmpty,
}: {
  list: ReturnType<typeof useBoardPages>['list']
  isEmpty: boolean
}) => (
  <>
    {list.error && (
      <li>
        <LoadError of={list} what={t('common.pages')} />
      </li>
    )}
    {isEmpty && <li className="no-pages soft">{t('shell.no_pages_yet')}</li>}
    {list.hasNextPage && (
      <li>
        <button
          type="button"
          className="place more-pages"
          aria-expanded={false}
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('shell.more_pages')}
        </button>
      </li>
    )}
  </>
)

interface ItemProps {
  node: TreeNode
  pages: readonly PageRow[]
  isRenaming: boolean
  startRenaming(): void
  onToggle(): void
  onRename(title: string | undefined): void
}

function PageItem({ node, pages, startRenaming, ...row }: ItemProps) {
  const { page, level, hasChildren, isOpen } = node
  const ref = useRef<HTMLLIElement>(null)
  const [path] = useLocation()
  const menu = usePageMenu(page, startRenaming)
  usePageDrag(ref, page, pages, (id, parent) => void nestPage(pages, id, parent))
  const [icon, kind] = kindOf(page)
  return (
    <SideRow
      {...row}
      id={`page-${page.page_id}`}
      ref={ref}
      name={page.title}
      path={`/p/${page.page_id}`}
      state={originState()}
      isOpen={hasChildren ? isOpen : undefined}
      isCurrent={path === `/p/${page.page_id}` || path === `/p/${page.public_id}`}
      icon={<Icon name={icon} label={kind} />}
      {...{ level, menu }}
    />
  )
}

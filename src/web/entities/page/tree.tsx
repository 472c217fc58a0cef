import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { contextMenu } from '../../kit/context-menu.tsx'
import { agoText } from '../../kit/dates.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import type { PageRow } from './data.ts'
import { type TreeNode, treeStep, visibleNodes } from './nesting.ts'
import { originState } from './origin.ts'
import { archiveItem, nestedPageItem, pageLinkItems } from './page-items.ts'
import './tree.css'

interface Props {
  label: string
  pages: readonly PageRow[]
  /** The id of the open page. */
  currentId?: number
  /** Hides the author and the time. */
  isShort?: boolean
}

/** Closed nodes stay closed while navigating between pages. */
const closedIds = new Set<number>()

/** The pages as a tree with keyboard navigation. */
export function Tree({ label, pages, currentId, isShort = false }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(() => new Set(closedIds))
  const [focusedId, setFocusedId] = useState<number>()
  const root = useRef<HTMLDivElement>(null)
  const nodes = visibleNodes(pages, closed)
  const isVisible = (id: number | undefined) => nodes.some(({ page }) => page.page_id === id)
  const tabStop = [focusedId, currentId].find(isVisible) ?? nodes[0]?.page.page_id
  const toggle = ({ page: { page_id }, isOpen }: TreeNode) => {
    if (isOpen) closedIds.add(page_id)
    else closedIds.delete(page_id)
    setClosed(new Set(closedIds))
  }
  const handleKey = (event: KeyboardEvent, index: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const step = treeStep(nodes, index, event.key)
    if (!step) return
    event.preventDefault()
    if ('toggles' in step) return toggle(nodes[index]!)
    root.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[step.to]?.focus()
  }
  return (
    <div className="page-tree" role="tree" aria-label={label} ref={root}>
      {nodes.map((node, index) => (
        <TreeItem
          key={node.page.page_id}
          {...{ node, isShort }}
          isCurrent={node.page.page_id === currentId}
          isTabStop={node.page.page_id === tabStop}
          onToggle={() => toggle(node)}
          onFocus={() => setFocusedId(node.page.page_id)}
          onKey={(event) => handleKey(event, index)}
        />
      ))}
    </div>
  )
}

interface TreeItemProps {
  node: TreeNode
  isShort: boolean
  isCurrent: boolean
  /** The item that Tab focuses. */
  isTabStop: boolean
  onToggle(): void
  onFocus(): void
  onKey(event: KeyboardEvent): void
}

function TreeItem({
  node,
  isShort,
  isCurrent,
  isTabStop,
  onToggle,
  onFocus,
  onKey,
}: TreeItemProps) {
  const { page, level, position, count, hasChildren, isOpen } = node
  const [, go] = useLocation()
  const groups = [pageLinkItems(page), [nestedPageItem(page, go), archiveItem(page)]]
  return (
    <Link
      {...contextMenu(() => ({ label: t('page.page_actions'), groups }))}
      href={`/p/${page.page_id}`}
      state={originState()}
      className="page-line"
      role="treeitem"
      tabIndex={isTabStop ? 0 : -1}
      style={{ '--level': level - 1 } as CSSProperties}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={count}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      onFocus={onFocus}
      onKeyDown={onKey}
      onClick={(event) => {
        if (!(event.target as Element).closest('.turn')) return
        event.preventDefault()
        onToggle()
      }}
    >
      <span className={hasChildren ? 'turn' : 'no-toggle'}>
        {hasChildren && <Icon name="chevron" />}
      </span>
      <PageLabel page={page} isShort={isShort} />
    </Link>
  )
}

/** The pages as a flat list, last changed first. */
export const FlatList = ({ label, pages }: { label: string; pages: readonly PageRow[] }) => (
  <ul className="page-tree" aria-label={label}>
    {pages
      .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))
      .map((page) => (
        <li key={page.page_id}>
          <Link href={`/p/${page.page_id}`} state={originState()} className="page-line">
            <PageLabel page={page} isShort={false} />
          </Link>
        </li>
      ))}
  </ul>
)

/** The icon and name of a page's kind. */
export function kindOf({ kind, canvas }: Pick<PageRow, 'kind' | 'canvas'>): [IconName, string] {
  if (canvas) return ['canvas', t('page.canvas')]
  if (kind === 'exploration') return ['search', t('page.exploration')]
  return kind === 'description' ? ['list', t('common.description')] : ['page', t('common.page')]
}

function PageLabel({ page, isShort }: { page: PageRow; isShort: boolean }) {
  const [icon, kind] = kindOf(page)
  const { short, full } = agoText(page.updated_at)
  return (
    <>
      <Icon name={icon} label={kind} />
      <span className="name truncate" dir="auto">
        {page.title}
      </span>
      {!isShort && (
        <span className="by minor">
          <span className="who">{page.updated_by.name}, </span>
          <time dateTime={page.updated_at} title={full}>
            {short}
          </time>
        </span>
      )}
    </>
  )
}

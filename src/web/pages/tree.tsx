import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import { agoWords } from '../parts/dates.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import type { PageRow } from './data.ts'
import { from } from './from.ts'
import { type Node, nodesOf, stepIn } from './nesting.ts'
import './tree.css'

interface Props {
  label: string
  pages: readonly PageRow[]
  /** The page that is open. */
  here?: number
  /** Without who wrote it when. */
  isShort?: boolean
}

/** What is closed stays so while one goes from page to page. */
const closedNow = new Set<number>()

/** Pages as they are nested, with the keys of a tree. */
export function Tree({ label, pages, here, isShort = false }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(() => new Set(closedNow))
  const [chosen, setChosen] = useState<number>()
  const root = useRef<HTMLDivElement>(null)
  const nodes = nodesOf(pages, closed)
  const isSeen = (id: number | undefined) => nodes.some(({ page }) => page.page_id === id)
  const entry = [chosen, here].find(isSeen) ?? nodes[0]?.page.page_id
  const turn = ({ page: { page_id }, isOpen }: Node) => {
    if (isOpen) closedNow.add(page_id)
    else closedNow.delete(page_id)
    setClosed(new Set(closedNow))
  }
  const pressed = (event: KeyboardEvent, at: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const step = stepIn(nodes, at, event.key)
    if (!step) return
    event.preventDefault()
    if ('turn' in step) return turn(nodes[at]!)
    root.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[step.to]?.focus()
  }
  return (
    <div className="page-tree" role="tree" aria-label={label} ref={root}>
      {nodes.map((node, at) => (
        <Leaf
          key={node.page.page_id}
          {...{ node, isShort }}
          isHere={node.page.page_id === here}
          isEntry={node.page.page_id === entry}
          onTurn={() => turn(node)}
          onFocus={() => setChosen(node.page.page_id)}
          onKey={(event) => pressed(event, at)}
        />
      ))}
    </div>
  )
}

interface LeafProps {
  node: Node
  isShort: boolean
  isHere: boolean
  /** Where one comes in with Tab. */
  isEntry: boolean
  onTurn(): void
  onFocus(): void
  onKey(event: KeyboardEvent): void
}

function Leaf({ node, isShort, isHere, isEntry, onTurn, onFocus, onKey }: LeafProps) {
  const { page, level, place, count, hasChildren, isOpen } = node
  return (
    <Link
      href={`/p/${page.page_id}`}
      state={from()}
      className="page-line"
      role="treeitem"
      tabIndex={isEntry ? 0 : -1}
      style={{ '--level': level - 1 } as CSSProperties}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={count}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-current={isHere ? 'page' : undefined}
      onFocus={onFocus}
      onKeyDown={onKey}
      onClick={(event) => {
        if (!(event.target as Element).closest('.turn')) return
        event.preventDefault()
        onTurn()
      }}
    >
      <span className={hasChildren ? 'turn' : 'no-turn'}>
        {hasChildren && <Icon name="chevron" />}
      </span>
      <Inside page={page} isShort={isShort} />
    </Link>
  )
}

/** The same pages without their nesting, the last changed first. */
export const Flat = ({ label, pages }: { label: string; pages: readonly PageRow[] }) => (
  <ul className="page-tree" aria-label={label}>
    {pages
      .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))
      .map((page) => (
        <li key={page.page_id}>
          <Link href={`/p/${page.page_id}`} state={from()} className="page-line">
            <Inside page={page} isShort={false} />
          </Link>
        </li>
      ))}
  </ul>
)

/** What a page is, said by more than its title. */
export function kindOf({ kind, canvas }: Pick<PageRow, 'kind' | 'canvas'>): [IconName, string] {
  if (canvas) return ['canvas', 'Canvas']
  if (kind === 'exploration') return ['search', 'Exploration']
  return kind === 'description' ? ['list', 'Description'] : ['page', 'Page']
}

function Inside({ page, isShort }: { page: PageRow; isShort: boolean }) {
  const [icon, kind] = kindOf(page)
  const { short, full } = agoWords(page.updated_at)
  return (
    <>
      <Icon name={icon} label={kind} />
      <span className="name" dir="auto">
        {page.title}
      </span>
      {!isShort && (
        <span className="by">
          <span className="who">{page.updated_by.name}, </span>
          <time dateTime={page.updated_at} title={full}>
            {short}
          </time>
        </span>
      )}
    </>
  )
}

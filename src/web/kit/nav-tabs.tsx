import type { ReactNode } from 'react'
import { Link } from 'wouter'

interface Tab {
  href: string
  name: ReactNode
  isCurrent: boolean
}

interface Props {
  label: string
  tabs: readonly Tab[]
  children?: ReactNode
}

/** Links to the parts of a screen, with the current one marked. */
export const NavTabs = ({ label, tabs, children }: Props) => (
  <nav className="nav-tabs" aria-label={label}>
    {tabs.map(({ href, name, isCurrent }) => (
      <Link key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
        {name}
      </Link>
    ))}
    {children}
  </nav>
)

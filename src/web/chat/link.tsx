import { Link } from 'wouter'
import { closeChat } from '../frame/asking.ts'
import { isFullScreen } from './screen.ts'

interface Props {
  address: string
  words?: string
  isPicture?: boolean
}

const OURS = /^\/(t|p|projects|runs|reports|agents)\/[\w-]+$/

/**
 * A link of a model: it says where it leads, as its words may say something else, and nothing is
 * asked of that place before somebody presses it.
 */
export function From({ address, words = '', isPicture = false }: Props) {
  const url = URL.canParse(address, location.origin) ? new URL(address, location.origin) : undefined
  const name = words || address
  if (url?.origin === location.origin && OURS.test(url.pathname) && !isPicture)
    return (
      <Link href={url.pathname} onClick={() => isFullScreen() && closeChat()}>
        {name}
      </Link>
    )
  if (!url || !/^(https?|mailto):$/.test(url.protocol) || !/^[a-z]+:/i.test(address))
    return name === address ? name : `${name} (${address})`
  const isSaid = name === address || name === address.replace(/^mailto:/, '')
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer">
      {isPicture ? `Picture: ${words || 'without a name'}` : name}
      {(!isSaid || isPicture) && (
        <span className="host"> ({isPicture ? address : placeOf(url)})</span>
      )}
    </a>
  )
}

const placeOf = ({ protocol, host, pathname }: URL) => (protocol === 'mailto:' ? pathname : host)

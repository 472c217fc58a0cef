/** Whom the cookies of this browser name now; it proves nothing, but it is the same in all tabs. */
const named = () => /(?:^|; )nookies_user=(\d+)/.exec(document.cookie)?.[1]

/** Whose page this is: that of whoever was signed in when it was loaded. */
export const owner = named() ?? ''

/** Somebody else has signed in since, in another tab. */
export const isAnother = () => {
  const now = named()
  return now !== undefined && owner !== '' && now !== owner
}

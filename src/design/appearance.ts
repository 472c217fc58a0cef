/**
 * What somebody can choose about the appearance of the app, with the values that are not the
 * default. A cookie with that name makes the choice known to the server, which writes it into the
 * page, so that nothing is drawn differently first.
 */
const APPEARANCE = {
  theme: ['light', 'dark'],
  density: ['compact'],
  text: ['small', 'large'],
  motion: ['reduced'],
  contrast: ['high'],
} as const

export type AppearanceName = keyof typeof APPEARANCE
export type Appearance = { [name in AppearanceName]?: (typeof APPEARANCE)[name][number] }

export const APPEARANCE_NAMES = Object.keys(APPEARANCE) as AppearanceName[]

/** The choices in a list of cookies. Unknown values are ignored. */
export const appearanceIn = (cookies: string): Appearance =>
  Object.fromEntries(
    APPEARANCE_NAMES.flatMap((name) => {
      const value = new RegExp(`(?:^|; *)${name}=(\\w+)`).exec(cookies)?.[1]
      return (APPEARANCE[name] as readonly unknown[]).includes(value) ? [[name, value]] : []
    }),
  )

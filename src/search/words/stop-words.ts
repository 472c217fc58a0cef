/** English stop words. */
export const STOPS: ReadonlySet<string> = new Set(
  (
    'a about above after again against all also am an and any are aren as at be because been before ' +
    'being below between both but by can cannot could couldn d did didn do does doesn doing don down ' +
    'during each either else ever every few for from further get gets getting got had hadn has hasn ' +
    'have haven having he her here hers herself him himself his how however i if in instead into is ' +
    'isn it its itself just let like ll m may me might more most much must my myself need needs no ' +
    'nor not now of off on once one only onto or other our ours ourselves out over own per please ' +
    're really s same shall she should shouldn since so some something still such t than that the ' +
    'their theirs them themselves then there these they this those though through to too under until ' +
    'up upon us ve very via want wants was wasn way we were weren what when where whether which while ' +
    'who whom whose why will with within without won would wouldn yes yet you your yours yourself'
  ).split(' '),
)

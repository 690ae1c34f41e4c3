package actors
import ("testing";"pgregory.net/rapid";"strings";"sort")
func TestZZ(t *testing.T){
 m:=map[string]int{}
 rapid.Check(t, func(t *rapid.T){ p:=drawPlay(t); d:=p.open(t,true); for i:=range playTicks { for _,s:=range d.step(p,i){ 
  for _,w:=range []string{"failed:","disabled","back ","SUCCESS","CANCELLED","ABORT","cannot","activated","replaced","empty","claim","panic"} { if strings.Contains(s,w){m[w]++} }
  if strings.Contains(s,"failed:"){ m[strings.Fields(s)[0][2:]]++ }
  if strings.HasPrefix(s,"[")&&strings.Contains(s,"L-") { m["V "+s]++}
  if strings.Contains(s,"cannot"){ f:=strings.Fields(s); m["R:"+f[len(f)-1]]++ }
 }; m["depth"]+=d.eng.Stack().Depth() }})
 var ks []string; for k:=range m{ks=append(ks,k)}; sort.Strings(ks); for _,k:=range ks{t.Log(k,m[k])}
}

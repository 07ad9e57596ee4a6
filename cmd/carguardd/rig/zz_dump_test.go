package rig_test
import ("testing";"encoding/json";"os";"github.com/carguardd/carguardd/harness/harnesstest";"fmt")
func TestZZ(t *testing.T){
 r,_:=start(t,"",nil,harnesstest.Calls("set_air_conditioning", `{"on":true}`))
 a:=say(t,r,"turn on the air conditioning")
 b,_:=json.MarshalIndent(a,""," ")
 os.WriteFile("/tmp/turn1.json",b,0o644)
 r,_=start(t,"",nil,harnesstest.Calls("open_close_window", `{"window":"ALL","percentage":50}`, "set_air_conditioning", `{"on":true}`))
 for i,u:=range []string{"Open all windows to 50 % and turn the AC on","the second one"} {
 a=say(t,r,u)
 b,_=json.MarshalIndent(a,""," ")
 os.WriteFile(fmt.Sprintf("/tmp/turn%d.json",i+2),b,0o644)
 }
 r,_=start(t,"vehicle_speed=30",nil,harnesstest.Calls("open_close_trunk_door", `{"action":"OPEN"}`))
 a=say(t,r,"open the trunk")
 b,_=json.MarshalIndent(a,""," ")
 os.WriteFile("/tmp/turn4.json",b,0o644)
}
